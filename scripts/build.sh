#!/usr/bin/env bash
# Configures and builds a preset, by default all of the one that fits the machine:
# build.sh [PRESET [TARGETS [CMAKE OPTION...]]]; with the target none it configures alone.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=$PWD/.deps/bin:$PATH # CMake and Ninja, where install_dependencies.sh had to get them

preset=${1:-$(scripts/choose_preset.sh)}
folder=build/$preset
mkdir -p "$folder"
exec {lock}>"$folder/build.lock"
# Two builds at once in the same folder lose track of headers: what includes one is then not built again.
if command -v flock >/dev/null; then
  busy=75
  locked=0
  flock --nonblock --conflict-exit-code $busy "$lock" || locked=$? # some file systems have no locks
  if ((locked == busy)); then
    echo "build.sh: another build is under way in $folder: waiting for its end" >&2
    flock "$lock"
  fi
fi
# What a build starts and leaves running must not hold the lock.
cmake --preset "$preset" "${@:3}" {lock}>&-
if [[ ${2:-all} == none ]]; then exit; fi
read -ra targets <<<"${2:-all}"
cmake --build --preset "$preset" --target "${targets[@]}" --parallel "$(nproc)" {lock}>&-

# Commands written in Python are found beside the program, whatever the user's PATH.
for command in .venv/bin/tayra-*; do
  if [[ -x $command ]]; then ln -sf "$PWD/$command" "$folder/"; fi
done
