#!/usr/bin/env bash
# Builds the CPU container and tries it where there is a mirror of Debian's packages but no registry of images:
# build_container.sh [TAG]. Needs root, buildah and debootstrap. It takes as long as building Tayra.
set -euo pipefail
cd "$(dirname "$0")/.."
tag=${1:-tayra}

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
debootstrap --variant=minbase trixie "$root/base" >"$root/log" || {
  tail -n 20 "$root/log" >&2
  exit 1
}
base=$(buildah from scratch)
buildah add --quiet "$base" "$root/base" / >/dev/null
buildah commit --quiet --rm "$base" tayra-base >/dev/null
buildah build --isolation chroot --build-arg BASE=localhost/tayra-base -f packaging/Containerfile -t "$tag" .

trial=$(buildah from "$tag")
trap 'rm -rf "$root"; buildah rm "$trial" >/dev/null' EXIT
buildah run --isolation chroot "$trial" -- tayra info
buildah run --isolation chroot "$trial" -- tayra run /opt/tayra/share/tayra/configs/quickstart.yaml --set run.steps=10
buildah run --isolation chroot "$trial" -- mpirun --allow-run-as-root --oversubscribe -n 2 \
  tayra run /opt/tayra/share/tayra/configs/quickstart.yaml --set run.steps=10 --force
echo "Built $tag; buildah push $tag docker-archive:tayra.tar makes a file of it"
