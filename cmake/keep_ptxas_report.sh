#!/usr/bin/env bash
# Runs a CUDA compiler and keeps what ptxas reports of its kernels as OBJECT.ptxas: keep_ptxas_report.sh COMPILER ARGUMENT...
set -uo pipefail

object=
for ((i = 1; i < $#; ++i)); do
  if [[ ${!i} == -o ]]; then
    value=$((i + 1))
    object=${!value}
  fi
done
"$@" 2>"$object.ptxas"
code=$?
grep -vE '^ptxas info|^ +[0-9]+ bytes stack frame' "$object.ptxas" >&2
exit $code
