# For the scripts of this folder, which are called as: run hdfs://HOST:PORT
# What they fetch and build lies below system-tests/target/clients/.

clients=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=${clients%/src/test/clients}/target/clients

# The exit code says that the file system was not to blame.
skip() {
  echo "Skipped: $*" >&2
  exit 77
}

need() {
  command -v "$1" >/dev/null || skip "$1 is missing; $2"
}

# Makes the Python environment NAME with the packages of the file REQUIREMENTS, unless it is there.
python_environment() {
  local environment=$work/$1 requirements=$2
  need python3 "install Python 3.10 or newer"
  cmp -s "$requirements" "$environment/requirements.txt" && return
  rm -rf "$environment"
  mkdir -p "$work"
  python3 -m venv "$environment" >&2 || skip "python3 has no module venv; for example: apt-get install python3-venv"
  "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" >&2 ||
    skip "pip could not install what is listed in $requirements"
  cp "$requirements" "$environment/requirements.txt"
}
