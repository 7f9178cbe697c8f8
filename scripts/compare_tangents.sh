#!/usr/bin/env bash
# Compares the tangents that are made for normal maps with those of three.js, corner by corner, for every glTF file
# under a folder that has a normal map, and prints a table. Tangents that a file gives are made anew. Exit status 1 when
# a corner differs by more than packing loses.
#   THREE=PACKAGE scripts/compare_tangents.sh [--every] FOLDER...      PACKAGE: of npm's "three", 0.187 or later
#   PRINT_TANGENTS=PROGRAM ...                                         runs that program instead of building one
# --every: compares meshes without a normal map too, by their first texture coordinates.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

every=()
if [ "${1:-}" = --every ]; then
    every=(--every)
    shift
fi
[ $# -gt 0 ] || die "usage: THREE=PACKAGE scripts/compare_tangents.sh [--every] FOLDER..."
for folder in "$@"; do
    [ -d "$folder" ] || die "$folder: there is no such folder"
done
[ -f "${THREE:-}/examples/jsm/libs/mikktspace.module.js" ] ||
    die "THREE: must be the folder of the npm package \"three\", but is \"${THREE:-}\""
need_packages nodejs=/usr/bin/node
program=${PRINT_TANGENTS:-}
if [ -z "$program" ]; then
    need_build_tools
    configure release
    build release --target print_tangents
    program=$root/build/release/bin/print_tangents
fi

out=$root/build/tangents
rm -rf "$out"
mkdir -p "$out"
pairs=()
while IFS= read -r file; do
    at=$out/$((${#pairs[@]} / 2))
    # What can't be opened has its place in scripts/try_models.sh.
    "$program" "${every[@]}" "$file" "$at" 2>/dev/null || continue
    if [ -s "$at" ]; then pairs+=("$at" "$(basename "$file")"); fi
done < <(find -L "$@" -type f \( -iname '*.gltf' -o -iname '*.glb' -o -iname '*.vrm' \) | sort)
[ ${#pairs[@]} -gt 0 ] || die "no file there has what is to be compared"
node "$root/scripts/compare_tangents.mjs" "$THREE" "${pairs[@]}"
