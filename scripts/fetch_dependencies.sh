#!/usr/bin/env bash
# Unpacks packages of Debian or Ubuntu, and all that these need but the C library and the compiler's own, into DIR:
# fetch_dependencies.sh DIR [PACKAGE...], by default what Tayra's C++ needs.
# Needs no root. DIR may be carried to a machine with the same processor and the same or a newer Debian or Ubuntu.
set -euo pipefail

if (($# < 1)) || [[ $1 == -* ]]; then
  echo "usage: fetch_dependencies.sh DIR [PACKAGE...]" >&2
  exit 2
fi
mkdir -p "$1"
target=$(cd "$1" && pwd)
packages=("${@:2}")
if ((${#packages[@]} == 0)); then packages=(libhdf5-dev zlib1g-dev libyaml-cpp-dev libmuparser-dev libcli11-dev libfmt-dev libgtest-dev libgmock-dev); fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/lists/partial" "$scratch/cache/archives/partial"

# Lists of its own: the machine's may be old or none, and only root may renew them.
apt_get() {
  apt-get -qq -o APT::Sandbox::User=root -o Dir::State::lists="$scratch/lists" -o Dir::Cache="$scratch/cache" \
    -o Debug::NoLocking=true "$@"
}
cd "$scratch"
apt_get update
mapfile -t all < <(apt_get -o Dir::State::status=/dev/null --simulate --no-install-recommends install "${packages[@]}" |
  sed -n 's/^Inst \([^ ]*\).*/\1/p' |
  grep -vE '^(lib(c6|c-dev|crypt|gcc-s|stdc\+\+|nsl|tirpc)|linux-libc-dev|gcc-.*-base|rpcsvc-proto|perl|dpkg|debconf)')
echo "Unpacking ${packages[*]} and what they need (${#all[@]} packages) into $target"
apt_get download "${all[@]}"
# A package's /lib is /usr/lib, and where its libraries are links to there, they become links to here.
mkdir -p "$target/usr/lib"
ln -sfn usr/lib "$target/lib"
for package in *.deb; do dpkg -x "$package" "$target"; done
find "$target/usr/lib" -name '*.so*' -lname '/*' -print0 | while IFS= read -r -d '' link; do
  ln -sfr "$target$(readlink "$link")" "$link"
done
rm -rf "$target/usr/share/doc" "$target/usr/share/man"
