#!/usr/bin/env bash
# From a fresh machine to a picture: installs what is missing, builds Tayra, grows a mushroom and draws it.
# With --without-root what is missing comes into this folder: .deps and .venv.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ $* != "" && $* != --without-root ]]; then
  echo "usage: quickstart.sh [--without-root]" >&2
  exit 2
fi
scripts/install_dependencies.sh --to-run "$@"
preset=$(scripts/choose_preset.sh)
scripts/build.sh "$preset" "tayra tayra-bench"

"build/$preset/tayra" quickstart --output results/quickstart --force
