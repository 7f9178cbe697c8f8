#!/usr/bin/env bash
# Makes README's pictures of the viewer, docs/images/viewer-*.png, on a display of its own.
#   scripts/viewer_pictures.sh
#   SUBLET=PROGRAM scripts/viewer_pictures.sh    runs that program instead of building one
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_packages xvfb=Xvfb xdotool=xdotool imagemagick=import
sublet=${SUBLET:-}
if [ -z "$sublet" ]; then
    need_build_tools
    need_vulkan_device
    configure release
    build release --target sublet
    sublet=$root/build/release/bin/sublet
fi
server='' viewer=''
folder=$(mktemp -d)
clean_up() {
    for process in $viewer $server; do kill "$process" 2>/dev/null || true; done
    rm -rf "$folder"
}
trap clean_up EXIT
Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp -noreset 3>"$folder/display" 2>/dev/null &
server=$!
for _ in $(seq 50); do [ -s "$folder/display" ] || sleep 0.1; done
DISPLAY=:$(cat "$folder/display")
export DISPLAY
unset WAYLAND_DISPLAY

# open ARGUMENTS...: starts the viewer, and waits until it has drawn some frames.
open_viewer() {
    "$sublet" view --fresh --size 1280x800 "$@" >/dev/null 2>"$folder/said" &
    viewer=$!
    for _ in $(seq 100); do xdotool search --name Sublet >/dev/null 2>&1 && break || sleep 0.2; done
    sleep 8
}
# A pause after each: frames take a while where the GPU is a CPU.
act() {
    xdotool "$@"
    sleep 2
}
press() {
    xdotool mousemove "$1" "$2"
    sleep 1
    xdotool mousedown 1
    sleep 1
    xdotool mouseup 1
    sleep 2
}
# close_viewer NAME: keeps what is shown, in few colours, and quits.
close_viewer() {
    sleep 3
    import -window root "$folder/shown.png"
    convert "$folder/shown.png" +dither -colors 128 -define png:compression-level=9 "PNG8:$root/docs/images/viewer-$1.png"
    xdotool key ctrl+q
    wait "$viewer" || die "the viewer failed: $(cat "$folder/said")"
    viewer=''
}

say "what was picked, among meshlets"
open_viewer --view meshlets --wireframe on
press 620 560
act mousemove 700 60
close_viewer picked

say "what a frozen camera culled"
cat >"$folder/path.json" <<'JSON'
{"frames": 600000, "keys": [
    {"frame": 0, "eye": [-1.1, 1.75, -0.5], "target": [-0.2, 1.7, -9]},
    {"frame": 20, "eye": [34, 30, 22], "target": [-4, 0, -22], "cut": true}]}
JSON
open_viewer --camera-path "$folder/path.json" --freeze-culling 1 --view culled --frustum on
act mousemove 700 60
close_viewer culled
say "made docs/images/viewer-picked.png and viewer-culled.png"
