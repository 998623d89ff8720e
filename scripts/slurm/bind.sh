#!/usr/bin/env bash
# Runs a rank's command on the cores and with the network card next to its GPU, or on the cores next to all of its
# GPUs, and prints what it bound:   [BIND_GPUS=8] srun … bind.sh COMMAND…
set -euo pipefail

sys=${BIND_SYS:-/sys}
rank=${SLURM_PROCID:-${OMPI_COMM_WORLD_RANK:-0}}
gpu=${SLURM_LOCALID:-${OMPI_COMM_WORLD_LOCAL_RANK:-0}} # tayra takes the GPU of this number on its node
gpus=${BIND_GPUS:-1} # that the rank drives, from that one on; 0: none
bound=()
cores=()

pci_address() {
  local address
  address=$(nvidia-smi --id="$1" --query-gpu=pci.bus_id --format=csv,noheader 2>/dev/null) || return 0
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

for ((number = gpu; number < gpu + gpus; number++)); do
  address=$(pci_address "$number")
  device=$sys/bus/pci/devices/$address
  [[ -n $address && -e $device/numa_node ]] || continue
  numa=$(<"$device/numa_node")
  bound+=("GPU $number ($address)" "NUMA node $numa")
  cores+=("$(<"$device/local_cpulist")")
done
if ((${#cores[@]})); then
  # Cores that the job was not given are refused; then those of the job stay.
  taskset --pid --cpu-list "$(IFS=,; echo "${cores[*]}")" $$ >/dev/null 2>&1 || true
else
  bound+=("no GPU")
fi
if ((gpus == 1 && ${#cores[@]})); then
  nic=$(nic_of "$numa")
  if [[ -n $nic ]]; then
    export UCX_NET_DEVICES=${UCX_NET_DEVICES:-$nic:1} NCCL_IB_HCA=${NCCL_IB_HCA:-$nic}
    bound+=("network card $nic")
  fi
fi
bound+=("cores $(taskset --pid --cpu-list $$ | sed 's/.*: //')")

printf -v told ', %s' "${bound[@]}"
echo "rank $rank on ${SLURMD_NODENAME:-$(hostname)}: ${told#, }"
exec "$@"
