#!/usr/bin/env bash
# Unpacks the C++ packages that a GPU machine often lacks into DIR, to be carried there and named in TAYRA_DEPS.
# Only headers, static libraries and fmt's shared one: they fit any newer Debian or Ubuntu of the same processor.
set -euo pipefail

if (($# != 1)); then
  echo "usage: fetch_dependencies.sh DIR" >&2
  exit 2
fi
mkdir -p "$1"
target=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fmt_library=$(apt-cache depends libfmt-dev | sed -n 's/.*Depends: \(libfmt[0-9.a-z]*\)$/\1/p' | head -n 1)
packages=(libgtest-dev libgmock-dev libcli11-dev libfmt-dev "$fmt_library")
(cd "$scratch" && apt-get -o APT::Sandbox::User=root download -qq "${packages[@]}")
for package in "$scratch"/*.deb; do
  dpkg -x "$package" "$target"
done
rm -rf "$target/usr/share/doc"
echo "Unpacked ${packages[*]}; use with: TAYRA_DEPS=$target scripts/gpu_machine.sh"
