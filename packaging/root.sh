# Makes a root file system and runs commands in it, for the tests of packages; they source it. Needs root and util-linux.
# shellcheck shell=bash

# A clean Debian, which is fetched once: clean_root ROOT
clean_root() {
  need mmdebstrap mmdebstrap
  local clean=$target/clean-$DEBIAN_RELEASE.tar
  if [ ! -f "$clean" ]; then
    mmdebstrap --quiet --variant=minbase "$DEBIAN_RELEASE" "$clean.part.tar"
    mv "$clean.part.tar" "$clean"
  fi
  rm -rf "$1"
  mkdir -p "$1"
  tar -C "$1" -xf "$clean"
  cp -L /etc/resolv.conf "$1/etc/"
  # mmdebstrap takes the name from this machine.
  echo localhost >"$1/etc/hostname"
  echo 127.0.0.1 localhost >"$1/etc/hosts"
  cp "$home/packaging/servers.sh" "$1/"
}

# With processes of its own, which end with it: in_root ROOT COMMAND...
in_root() {
  # shellcheck disable=SC2016 # for the inner shell
  unshare --mount --pid --fork --kill-child sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$@"
}

# The same with a network of its own, which has only localhost, as the machine is called there.
alone_in_root() {
  # shellcheck disable=SC2016 # for the inner shell
  unshare --mount --pid --net --uts --fork --kill-child sh -c \
    'ip link set lo up && hostname localhost && echo 127.0.0.1 localhost >"$0/etc/hosts" && mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$@"
}

# apt-get in ROOT: apt_in ROOT ARGUMENT...
apt_in() {
  local root=$1
  shift
  DEBIAN_FRONTEND=noninteractive in_root "$root" apt-get -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends "$@"
}

# Asserts: check TEXT COMMAND...
check() {
  local text=$1
  shift
  if "$@" >/dev/null 2>&1; then
    echo "ok: $text"
  else
    echo "FAILED: $text ($*)" >&2
    exit 1
  fi
}

checks_not() {
  local text=$1
  shift
  # shellcheck disable=SC2016 # for the inner shell
  check "$text" bash -c '! "$@"' - "$@"
}
