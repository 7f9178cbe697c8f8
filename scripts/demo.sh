#!/usr/bin/env bash
# Sets up a bare Debian machine, builds Sublet, and shows a scene: in a window when there is a display, else as pictures whose
# paths it prints.
#   scripts/demo.sh [SCENE]      SCENE is a .gltf, .glb or .sublet file; left out, the built-in scene
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ $# -le 1 ] || die "usage: scripts/demo.sh [SCENE]"
scene=${1:-}
[ -z "$scene" ] || [ -f "$scene" ] || die "$scene: there is no such file"

need_build_tools
need_vulkan_device
cpu_minutes "installing"
configure release
build release --target sublet
cpu_minutes "building"

sublet=$root/build/release/bin/sublet
out=$root/build/demo
name=built-in
mkdir -p "$out"
if [ -n "$scene" ]; then
    name=$(basename "${scene%.*}")
    if [ "${scene##*.}" != sublet ]; then
        say "encoding $scene"
        "$sublet" encode "$scene" -o "$out/$name.sublet"
        scene=$out/$name.sublet
    fi
fi
arguments=()
[ -z "$scene" ] || arguments=("$scene")

if [ -n "${WAYLAND_DISPLAY:-}${DISPLAY:-}" ]; then
    say "opening the viewer"
    if "$sublet" view "${arguments[@]}"; then exit 0; fi
    say "the viewer did not open: rendering pictures instead"
fi

# The same picture by the fastest backend of this device and by plain draws: they are to be equal.
for backend in auto direct; do
    say "rendering with --backend $backend"
    "$sublet" render "${arguments[@]}" -o "$out/$name-$backend.png" --size 1280x720 --backend "$backend"
done
"$sublet" compare "$out/$name-auto.png" "$out/$name-direct.png" >&2 || say "they may differ only where coplanar faces tie in depth: see --count-ties"
cpu_minutes "pictures"
cpu_minutes_report
printf '%s\n' "$out/$name-auto.png" "$out/$name-direct.png"
