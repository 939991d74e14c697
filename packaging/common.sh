# What the scripts of packaging share; they source it.
# shellcheck shell=bash
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
# Where results go.
target=${ACACIA_TARGET:-$home/target}
# shellcheck source=packaging/versions
. "$home/packaging/versions"

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

need() { # PROGRAM PACKAGE
  command -v "$1" >/dev/null || fail "$1 is missing, on Debian: apt-get install $2"
}

# The time that all files bear, so that two builds give the same bytes; dpkg-deb and mmdebstrap know this variable.
SOURCE_DATE_EPOCH=$(date --date="$("$home/packaging/build-time")" +%s)
export SOURCE_DATE_EPOCH

# The version of Maven's project.
version=$(sed -n '0,/<version>/s#.*<version>\(.*\)</version>.*#\1#p' "$home/pom.xml")

# tar in FOLDER with the same bytes each time: same_tar FOLDER OPTION...
same_tar() {
  local folder=$1
  shift
  tar -C "$folder" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu "$@"
}
