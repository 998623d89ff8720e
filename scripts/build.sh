#!/usr/bin/env bash
# Configures and builds a preset, by default all of the one that fits the machine:
# build.sh [PRESET [TARGET [CMAKE OPTION...]]]
set -euo pipefail
cd "$(dirname "$0")/.."

preset=${1:-$(scripts/choose_preset.sh)}
if command -v ninja >/dev/null; then
  export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}
fi
cmake --preset "$preset" "${@:3}"
cmake --build --preset "$preset" --target "${2:-all}" --parallel "$(nproc)"

# Commands written in Python are found beside the program, whatever the user's PATH.
for command in .venv/bin/tayra-*; do
  if [[ -x $command ]]; then ln -sf "$PWD/$command" "build/$preset/"; fi
done
