#!/usr/bin/env bash
# Prints the CMake preset that fits the machine: cuda with a CUDA toolkit of 12.8 or later, release without.
set -euo pipefail

nvcc=$(PATH="${CUDA_PATH:+$CUDA_PATH/bin:}${CUDA_HOME:+$CUDA_HOME/bin:}$PATH:/usr/local/cuda/bin" type -P nvcc || true)
if [[ -z $nvcc ]]; then
  echo release
  exit
fi
version=$("$nvcc" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
if [[ $(printf '%s\n' 12.8 "$version" | sort --version-sort | head -n 1) == 12.8 ]]; then
  echo cuda
else
  echo "CUDA $version is older than 12.8: building for the CPU only" >&2
  echo release
fi
