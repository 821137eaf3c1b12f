#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A Blender with a window where there is neither: Debian's, in a folder of its own, drawn by Mesa on a screen that Xvfb keeps
# in memory. Linux, as root.
#
#   debian.sh setup ROOT SUITE                  once, some minutes: a Debian with Blender in the folder ROOT;
#                                               trixie has Blender 4.3, sid has 5.2
#   debian.sh run ROOT FOLDER:… COMMAND …       runs a command in it that sees these folders where they are outside
set -euo pipefail
packages=(blender xvfb xauth xdotool libgl1-mesa-dri libegl1 python3-numpy python3-cattr python3-requests python3-zstandard fonts-noto-cjk)

case ${1:-} in
setup)
  root=$2 suite=$3
  [[ -e $root/ready ]] && exit
  command -v debootstrap >/dev/null || { apt-get update -q && apt-get install -y -q debootstrap; }
  # What an earlier attempt has left may be half of it.
  rm -rf --one-file-system "$root"
  mkdir -p "$root"
  debootstrap --variant=minbase "$suite" "$root"
  "$0" run "$root" "" sh -c "apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends ${packages[*]}"
  touch "$root/ready"
  ;;
run)
  # The mounts are the command's own, and go with it.
  exec unshare --mount --propagation private "$0" inside "${@:2}"
  ;;
inside)
  root=$2 folders=$3
  mount --bind /proc "$root/proc"
  mount --bind /dev "$root/dev"
  IFS=: read -ra seen <<<"$folders"
  for folder in "${seen[@]}"; do
    mkdir -p "$root$folder"
    mount --bind "$folder" "$root$folder"
  done
  exec chroot "$root" env HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "${@:4}"
  ;;
*)
  sed -n '3,8p' "$0"
  exit 2
  ;;
esac
