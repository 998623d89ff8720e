#!/usr/bin/env bash
# Installs what Tayra needs and the machine lacks: Debian or Ubuntu packages, and Python packages in .venv.
# With --readers also VTK, PyVista, xarray and yt in .venv, with --paraview the system's ParaView: tests try what is there.
# With --slurm also Slurm and what else the tests need that make a cluster of this machine.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(g++ cmake ninja-build pkg-config git libhdf5-dev libyaml-cpp-dev libcli11-dev libfmt-dev
  libgtest-dev libgmock-dev libopenmpi-dev openmpi-bin python3 python3-venv valgrind)

extras=test
for option in "$@"; do
  case $option in
    --readers) extras=test,readers ;;
    --paraview) packages+=(paraview python3-paraview xvfb xauth) ;;
    --slurm) packages+=(slurmctld slurmd slurm-client munge iproute2) ;;
    *)
      echo "usage: install_dependencies.sh [--readers] [--paraview] [--slurm]" >&2
      exit 2
      ;;
  esac
done

is_installed() {
  [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

as_root() {
  if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

install_packages() {
  if ! command -v apt-get >/dev/null; then
    echo "install_dependencies: no apt-get here; install these yourself: ${packages[*]}" >&2
    exit 2
  fi
  local missing=()
  for package in "${packages[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ((EUID != 0)) && ! command -v sudo >/dev/null; then
    echo "install_dependencies: neither root nor sudo; ask for these packages: ${missing[*]}" >&2
    exit 2
  fi
  echo "Installing ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Installed again only when the list of packages has changed.
install_python_packages() {
  local stamp=.venv/tayra-installed
  [[ -x .venv/bin/tayra-plot && $stamp -nt pyproject.toml && $extras == test ]] && return
  echo "Installing the Python packages into .venv"
  [[ -x .venv/bin/pip ]] || python3 -m venv .venv
  .venv/bin/pip install --quiet --disable-pip-version-check --editable ".[$extras]"
  touch "$stamp"
}

install_packages
install_python_packages
