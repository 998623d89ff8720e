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

results=results/quickstart
"build/$preset/tayra" run configs/quickstart.yaml --output "$results" --force
"build/$preset/tayra" plot "$results" --curves >/dev/null
picture=$("build/$preset/tayra" plot "$results" --smooth)

cat <<END

Done. The results are in $PWD/$results:
  picture      $picture
  curves       $results/pictures/curves.png
  snapshots    $results/snapshots/snapshots.vtkhdf.series (open it in ParaView; before 5.12: snapshots.xmf)
  logs         $results/timings.csv, $results/diagnostics.csv
Change configs/quickstart.yaml or try another one with
  export PATH=\$PWD/build/$preset:\$PATH
  tayra run configs/shock_tube.yaml
END
