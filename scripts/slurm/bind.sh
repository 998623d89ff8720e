#!/usr/bin/env bash
# Runs a rank's command on the cores and with the network card next to its GPU, and prints what it bound:
# srun … bind.sh COMMAND…
set -euo pipefail

sys=${BIND_SYS:-/sys}
rank=${SLURM_PROCID:-${OMPI_COMM_WORLD_RANK:-0}}
gpu=${SLURM_LOCALID:-${OMPI_COMM_WORLD_LOCAL_RANK:-0}} # tayra takes the GPU of this number on its node
bound=()

pci_address() {
  local address
  address=$(nvidia-smi --id="$gpu" --query-gpu=pci.bus_id --format=csv,noheader 2>/dev/null) || return 0
  address=${address,,}
  echo "${address: -12}" # the kernel's domain has four digits, nvidia-smi's eight
}

# The first network card for RDMA on a NUMA node.
nic_of() {
  local card
  for card in "$sys"/class/infiniband/*; do
    [[ -e $card/device/numa_node && $(<"$card/device/numa_node") == "$1" ]] && basename "$card" && return
  done
  return 0
}

address=$(pci_address)
if [[ -n $address && -e $sys/bus/pci/devices/$address/numa_node ]]; then
  numa=$(<"$sys/bus/pci/devices/$address/numa_node")
  bound+=("GPU $gpu ($address)" "NUMA node $numa")
  # Cores that the job was not given are refused; then those of the job stay.
  taskset --pid --cpu-list "$(<"$sys/bus/pci/devices/$address/local_cpulist")" $$ >/dev/null 2>&1 || true
  nic=$(nic_of "$numa")
  if [[ -n $nic ]]; then
    export UCX_NET_DEVICES=${UCX_NET_DEVICES:-$nic:1} NCCL_IB_HCA=${NCCL_IB_HCA:-$nic}
    bound+=("network card $nic")
  fi
else
  bound+=("no GPU")
fi
bound+=("cores $(taskset --pid --cpu-list $$ | sed 's/.*: //')")

printf -v told ', %s' "${bound[@]}"
echo "rank $rank on ${SLURMD_NODENAME:-$(hostname)}: ${told#, }"
exec "$@"
