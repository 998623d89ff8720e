#!/usr/bin/env bash
# From a fresh machine to a picture: installs what is missing, builds Tayra, grows a mushroom and draws it.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install_dependencies.sh
preset=$(scripts/choose_preset.sh)
scripts/build.sh "$preset" "tayra tayra-bench"

"build/$preset/tayra" quickstart --output results/quickstart --force
