#!/usr/bin/env bash
# Gets what Tayra needs and this machine lacks: packages where there is apt-get, and Python packages in .venv.
# With --to-run only what building and running need, not what tests need. With --without-root all of it into this
# folder, in .deps and .venv. With --render also what `tayra render` and films need. With --readers also VTK, PyVista,
# xarray and yt in .venv, with --paraview the system's ParaView: tests try what is there. With --browser also Chromium
# and what drives it, which look at the page of `tayra watch`. With --slurm also Slurm and what else the tests need that
# make a cluster of this machine.
set -euo pipefail
cd "$(dirname "$0")/.."

extras=()
for_tests=true
without_root=false
wanted=()
for option in "$@"; do
  case $option in
    --to-run) for_tests=false ;;
    --without-root) without_root=true ;;
    --readers) extras+=(readers) ;;
    --render) extras+=(render) wanted+=(libegl1 libgl1-mesa-dri) ;;
    --browser) extras+=(browser) wanted+=(chromium chromium-driver) ;;
    --paraview) wanted+=(paraview python3-paraview xvfb xauth) ;;
    --slurm) wanted+=(slurmctld slurmd slurm-client munge iproute2) ;;
    *)
      echo "usage: install_dependencies.sh [--to-run] [--without-root] [--render] [--readers] [--paraview] [--browser] [--slurm]" >&2
      exit 2
      ;;
  esac
done
if $for_tests; then extras+=(test); fi
export PATH=$PWD/.deps/bin:$PATH

has() { command -v "$1" >/dev/null; }
has_cmake() { printf '%s\n' 3.25 "$(cmake --version 2>/dev/null | sed -n '1s/.* //p')" | sort --check=quiet --version-sort; }
has_python() { python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
is_installed() { [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

# All are Debian's packages: nothing goes without the needed ones, something is left out without the useful ones.
look_for_programs() {
  needed=() useful_programs=()
  has "${CXX:-c++}" || needed+=(g++)
  has_cmake || needed+=(cmake)
  has ninja || needed+=(ninja-build)
  has_python || needed+=(python3)
  [[ -x .venv/bin/pip ]] || python3 -c 'import ensurepip' 2>/dev/null || needed+=(python3-venv)
  local program
  for program in "${wanted[@]}"; do is_installed "$program" || useful_programs+=("$program"); done
  $for_tests || return 0
  for program in git valgrind; do has "$program" || useful_programs+=("$program"); done
  has mpirun || useful_programs+=(openmpi-bin)
}

# CMake knows which libraries it finds, wherever they lie; what it lacks it tells at once.
look_for_libraries() {
  needed=() useful_libraries=()
  told=$(scripts/build.sh "$(scripts/choose_preset.sh)" none 2>&1) || [[ $told == *"(Debian: "* ]] || {
    echo "$told" >&2
    exit 1
  }
  packages_of() { sed -n "/^$1/s/.*(Debian: \(.*\))$/\1/p" <<<"$told"; }
  # shellcheck disable=SC2207  # words
  needed=($(packages_of "  "))
  $for_tests || return 0
  # shellcheck disable=SC2207
  needed+=($(packages_of "-- Tayra: no tests")) useful_libraries=($(packages_of "-- Tayra: one process"))
}

install() {
  local packages=("$@") as_root=()
  if ((${#packages[@]} == 0)) || $without_root || ! has apt-get; then return 0; fi
  if ((EUID != 0)); then
    has sudo || return 0
    as_root=(sudo)
  fi
  echo "Installing ${packages[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
}

# Debian keeps pip, which makes a Python environment what it is, in a package of its own.
make_environment() {
  [[ ! -x .venv/bin/pip ]] || return 0
  if ! $without_root || python3 -c 'import ensurepip' 2>/dev/null; then
    python3 -m venv .venv
  elif has apt-get; then
    scripts/fetch_dependencies.sh .deps python3-pip-whl
    python3 -m venv --without-pip .venv
    local pip=(.deps/usr/share/python-wheels/pip-*.whl)
    .venv/bin/python "${pip[0]}/pip" install --quiet --no-index "${pip[0]}"
  fi
}

get_programs_without_root() {
  has_python || return 0
  make_environment
  local program
  for program in cmake ninja; do
    [[ " ${needed[*]} " == *" $program"* && -x .venv/bin/pip ]] || continue
    echo "Installing $program into .venv"
    .venv/bin/pip install --quiet --disable-pip-version-check $program
    mkdir -p .deps/bin
    ln -sf ../../.venv/bin/$program .deps/bin/
  done
}

# Installed again only when the list of packages has changed, or more of it is wanted.
install_python_packages() {
  local stamp=.venv/tayra-installed extra wanted_here=true all=()
  if [[ -x .venv/bin/tayra-plot && $stamp -nt pyproject.toml ]]; then
    read -ra all <$stamp || true
    for extra in "${extras[@]}"; do [[ " ${all[*]} " == *" $extra "* ]] || wanted_here=false; done
    if $wanted_here; then return; fi
  fi
  echo "Installing the Python packages into .venv"
  make_environment
  .venv/bin/pip install --quiet --disable-pip-version-check --editable ".${extras:+[$(IFS=,; echo "${extras[*]}")]}"
  echo "${extras[*]}" >$stamp
}

look_for_programs
install "${needed[@]}" "${useful_programs[@]}" || true
if $without_root; then get_programs_without_root; fi
look_for_programs
if ((${#needed[@]})); then
  echo "install_dependencies: missing here: ${needed[*]} (Debian's names; CMake 3.25 and Python 3.11 or later)" >&2
  $without_root || echo "Without root scripts/quickstart.sh --without-root gets CMake and Ninja. More: docs/install.md" >&2
  exit 2
fi

look_for_libraries
if ((${#needed[@]} + ${#useful_libraries[@]})); then
  if ! $without_root; then
    install "${needed[@]}" "${useful_libraries[@]}" || true
  elif ((${#needed[@]})) && has apt-get; then
    scripts/fetch_dependencies.sh .deps
  fi
  look_for_libraries
fi
if ((${#needed[@]})); then
  echo "install_dependencies: missing here:" >&2
  grep -E '^(  .*|-- Tayra: no tests.*)\(Debian: ' <<<"$told" >&2
  echo "Name folders for all of them in the environment variable CMAKE_PREFIX_PATH, or one by one:
  cmake --preset $(scripts/choose_preset.sh) -DNAME=FOLDER
More: docs/install.md" >&2
  exit 2
fi
useful=("${useful_programs[@]}" "${useful_libraries[@]}")
if ((${#useful[@]})); then echo "Not installed, so what needs these is left out: ${useful[*]} (Debian's names)"; fi
install_python_packages
