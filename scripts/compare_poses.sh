#!/usr/bin/env bash
# Compares where animations, morph targets and skins put the vertices of every glTF file under a folder with where
# three.js puts them, and prints a table: for each animation the greatest and the mean distance from a vertex of three.js
# to the nearest of ours, in parts of the scene's size. Exit status 1 when one is farther than 1e-4.
#   THREE_RENDER=FOLDER scripts/compare_poses.sh FOLDER...
#   SUBLET=PROGRAM ...           runs that program instead of building one
# THREE_RENDER: has three-render.sh, which writes the vertices of a pose by three.js (--positions).
# Positions are encoded with 16 bits, so that little of what is seen is quantisation.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ $# -gt 0 ] || die "usage: THREE_RENDER=FOLDER scripts/compare_poses.sh FOLDER..."
for folder in "$@"; do
    [ -d "$folder" ] || die "$folder: there is no such folder"
done
three=${THREE_RENDER:-}
[ -x "$three/three-render.sh" ] || die "THREE_RENDER: must be a folder with three-render.sh, but is \"$three\""
need_packages jq=/usr/bin/jq python3=/usr/bin/python3
sublet=${SUBLET:-}
if [ -z "$sublet" ]; then
    need_build_tools
    configure release
    build release --target sublet
    sublet=$root/build/release/bin/sublet
fi
sublet=$(realpath "$sublet")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

printf '%-36s %-24s %8s %9s %10s %10s\n' file animation time vertices greatest mean
status=0
compared=0
while IFS= read -r file; do
    name=$(basename "$file")
    # What can't be opened has its place in scripts/try_models.sh.
    "$sublet" encode "$file" -o "$out/scene.sublet" --position-bits 16 >/dev/null 2>&1 ||
        continue
    "$sublet" info "$out/scene.sublet" --json "$out/info.json" >/dev/null 2>&1
    count=$(jq '.animations | length' "$out/info.json")
    for ((i = 0; i < count; ++i)); do
        # Off the keys, and before the loop's end.
        time=$(jq ".animations[$i].length * 0.37" "$out/info.json")
        "$sublet" decode "$out/scene.sublet" -o "$out/pose.glb" --animation "$i" --time "$time" >/dev/null 2>&1
        if ! "$three/three-render.sh" "$file" --positions "$out/pose.json" --stride 7 --animation "$i" --time "$time" \
            >/dev/null 2>"$out/error"; then
            printf '%-36s %-24s three.js: %s\n' "$name" "$i" "$(tail -n 1 "$out/error")"
            continue
        fi
        compared=$((compared + 1))
        python3 "$root/scripts/compare_poses.py" "$out/pose.glb" "$out/pose.json" "$name" \
            "$(jq -r ".animations[$i].name" "$out/info.json")" "$time" || status=1
    done
done < <(find -L "$@" -type f \( -iname '*.gltf' -o -iname '*.glb' -o -iname '*.vrm' \) | sort)
[ "$compared" -gt 0 ] || die "no file there has an animation that is to be compared"
exit "$status"
