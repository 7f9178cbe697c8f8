#!/usr/bin/env bash
# Holds every backend, with every setting that it uses, to the exactness contract (docs/EXACTNESS.md): builds, then
# compares pictures with direct draws with all culling off. Scenes: the built-in one, the tests' grid of mirrored,
# sheared and unevenly scaled shapes, and FILE... A JSON report of each part goes to build/exactness/. Exit status 1
# when anything differs.
#   scripts/exactness.sh [--quick] [FILE...]      FILE: .gltf, .glb or .sublet; its first mesh is drawn as a dense grid too
#   SUBLET_EXACTNESS=PROGRAM scripts/exactness.sh ...      runs that program instead of building one
# In full: every single value and a pairwise set of all of them, 20 cameras, sizes 1x1, 7x5, 641x359 and 1920x1080, without each
# feature alone (each camera then at one of the sizes), and paths of 200 frames at an odd and an even size. That takes hours on a
# software driver. --quick: a few cameras, small sizes, short paths, without nothing: minutes.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

quick=
if [ "${1:-}" = --quick ]; then
    quick=1
    shift
fi
files=()
for file in "$@"; do
    [ -f "$file" ] || die "$file: there is no such file"
    files+=("$(realpath "$file")")
done

program=${SUBLET_EXACTNESS:-}
if [ -z "$program" ]; then
    need_build_tools
    need_packages vulkan-validationlayers=/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json
    need_vulkan_device
    configure release
    build release --target exactness
    program=$root/build/release/bin/exactness
fi
out=$root/build/exactness
mkdir -p "$out"

# Mesa's software driver fuses the viewport's multiply and add in its vertex pipeline alone, where the CPU can: the last bit of a
# window coordinate would differ between pipelines. Other drivers do not read this.
export GALLIUM_OVERRIDE_CPU_CAPS=sse4.1

status=0
# part NAME ARGUMENT...
part() {
    local name=$1
    shift
    say "$name"
    "$program" "$@" --json "$out/$name.json" || status=1
}

# A mistake made on purpose must be noticed, or nothing below means anything.
notices() {
    local found=0
    "$program" "$@" >"$out/notices.txt" 2>&1 || found=$?
    if [ "$found" != 1 ] || ! grep -q 'DIFFER' "$out/notices.txt"; then
        cat "$out/notices.txt" >&2
        die "a mistake made on purpose went unnoticed: $*"
    fi
}
say "mistakes made on purpose"
notices shapes --cameras 4 --sizes 96x64 --combinations singles --backends mdi --fault drop-meshlet
notices builtin --cameras 6 --sizes 240x136 --combinations singles --backends mdi --fault level-too-fine

notices deforming --cameras 0 --path 24 --every 1 --sizes 240x136 --combinations singles --backends mdi \
    --fault last-pose

if [ -n "$quick" ]; then
    stills=(--cameras 5 --sizes "1x1,7x5,161x91,320x180" --deal-sizes all)
    paths=(--cameras 0 --path 40 --sizes 161x91)
    grid=(--grid 3x3x3 --grid-spacing 1)
else
    stills=(--cameras 20 --sizes "1x1,7x5,641x359,1920x1080" --without each)
    paths=(--cameras 0 --path 200 --sizes "641x359,1280x720")
    grid=(--grid 13x13x13 --grid-spacing 1)
fi
part stills builtin shapes deforming "${files[@]}" "${stills[@]}"
part paths builtin shapes deforming "${files[@]}" "${paths[@]}"
number=0
for file in "${files[@]}"; do
    number=$((number + 1))
    part "path-grid-$number" "$file" "${grid[@]}" "${paths[@]}"
done
say "reports: $out"
exit "$status"
