#!/usr/bin/env bash
# Draws every glTF file under a folder by Sublet and by three.js, with the same camera and the same light from all
# around, and prints a table: how different they look. Pictures, side by side with their difference: build/compare/.
#   THREE_RENDER=FOLDER scripts/compare_models.sh [--environment FILE.hdr] [--size WxH] FOLDER...
#   SUBLET=PROGRAM ...           runs that program instead of building one
# THREE_RENDER: has three-render.sh, which draws a file by three.js in a browser without a window, and compare.sh, which
# compares two PNGs by CIEDE2000. The figure is delta E, the mean over the pixels that one of them covers, once as they
# are and once after a blur that forgives edges; and the share of pixels that one picture alone covers.
# Where one of the two does not draw a file, its row says why.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

environment=
size=480x360
while [ $# -gt 0 ]; do
    case $1 in
        --environment) environment=$(realpath "$2") && shift 2 ;;
        --size) size=$2 && shift 2 ;;
        *) break ;;
    esac
done
[ $# -gt 0 ] || die "usage: THREE_RENDER=FOLDER scripts/compare_models.sh [--environment FILE.hdr] [--size WxH] FOLDER..."
for folder in "$@"; do
    [ -d "$folder" ] || die "$folder: there is no such folder"
done
three=${THREE_RENDER:-}
if [ ! -x "$three/three-render.sh" ] || [ ! -x "$three/compare.sh" ]; then
    die "THREE_RENDER: must be a folder with three-render.sh and compare.sh, but is \"$three\""
fi
need_packages imagemagick=/usr/bin/convert jq=/usr/bin/jq python3=/usr/bin/python3
sublet=${SUBLET:-}
if [ -z "$sublet" ]; then
    need_build_tools
    configure release
    build release --target sublet
    sublet=$root/build/release/bin/sublet
fi
sublet=$(realpath "$sublet")
out=$root/build/compare
rm -rf "$out"
mkdir -p "$out"

# A sky that is brighter above, grey ground, and a soft sun: all that a material may reflect.
if [ -z "$environment" ]; then
    environment=$out/environment.hdr
    python3 - "$environment" <<'PYTHON'
import math, sys

width, height = 512, 256
sun = (0.48, 0.64, 0.6)
rows = bytearray(b'#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n' % (height, width))
for y in range(height):
    for x in range(width):
        polar, around = math.pi * (y + 0.5) / height, 2 * math.pi * ((x + 0.5) / width - 0.5)
        d = (math.sin(polar) * math.cos(around), math.cos(polar), math.sin(polar) * math.sin(around))
        near = max(0.0, sum(a * b for a, b in zip(d, sun))) ** 200 * 30
        up = max(0.0, d[1])
        color = [0.5 + 0.2 * up, 0.6 + 0.3 * up, 0.7 + 0.5 * up] if d[1] > 0 else [0.25, 0.23, 0.2]
        color = [c + near for c in color]
        exponent = math.frexp(max(color))[1]
        rows += bytes([int(c * 256 / 2 ** exponent) for c in color] + [exponent + 128])
open(sys.argv[1], 'wb').write(rows)
PYTHON
fi

row() { printf '| %s | %s | %s | %s | %s |\n' "$@"; }

# The last line that a command left on stderr.
reason() { tail -n 1 "$1" | tr '|' '/' | cut -c 1-100; }

covered() { # DEPTH.pfm: a picture that is white where depth is not 0
    python3 - "$1" <<'PYTHON'
import array, sys

with open(sys.argv[1], 'rb') as file:
    file.readline()
    width, height = map(int, file.readline().split())
    little = float(file.readline()) < 0
    depths = array.array('f', file.read())
if (sys.byteorder == 'little') != little:
    depths.byteswap()
rows = [depths[y * width:(y + 1) * width] for y in reversed(range(height))]  # .pfm begins at the bottom
sys.stdout.buffer.write(b'P5 %d %d 255\n' % (width, height) + bytes(255 if d > 0 else 0 for row in rows for d in row))
PYTHON
}

compare_model() { # INDEX FILE
    local at=$out/$1 file=$2 name
    name=$(basename "$file")
    mkdir -p "$at"
    if ! "$three/three-render.sh" "$file" -o "$at/three.png" --json "$at/three.json" --size "$size" --tone none \
        --environment "$environment" --anisotropy 8 >"$at/three.out" 2>"$at/three.err"; then
        row "$name" - - - "three.js: $(reason "$at/three.err")"
        return
    fi
    local camera near
    camera=$(jq -r .camera.argument "$at/three.json")
    near=$(jq -r .camera.near "$at/three.json")
    if ! "$sublet" render "$file" -o "$at/sublet.png" --size "$size" --camera="$camera" --near "$near" \
        --animation none --tone none --environment "$environment" --sun off --depth "$at/depth.pfm" \
        --json "$at/sublet.json" >"$at/sublet.out" 2>"$at/sublet.err"; then
        row "$name" - - - "Sublet: $(reason "$at/sublet.err")"
        return
    fi
    # three.js leaves the background black, so that pixels that are covered are told apart. Depths may be tiny.
    covered "$at/depth.pfm" >"$at/covered.pgm"
    convert "$at/sublet.png" "$at/covered.pgm" -alpha off -compose CopyOpacity -composite \
        -background black -alpha remove -alpha off "$at/object.png"
    local figures
    figures=$("$three/compare.sh" "$at/three.png" "$at/object.png" --diff "$at/difference.png" --json 2>"$at/compare.err") ||
        figures='{}'
    echo "$figures" >"$at/compare.json"
    convert "$at/three.png" "$at/object.png" "$at/difference.png" +append "$out/$1-$name.png"
    row "$name" "$(jq -r '.delta_e.mean // "-"' <<<"$figures")" "$(jq -r '.delta_e_blurred.mean // "-"' <<<"$figures")" \
        "$(jq -r 'if .covered_pixels then 1000 * (.covered_only_in_a + .covered_only_in_b) / .covered_pixels | round / 10
            | tostring + " %" else "-" end' <<<"$figures")" "$(jq -r '[.notes[]?] | join("; ")' "$at/sublet.json")"
}

row model 'delta E' blurred 'in one alone' notes
row --- --- --- --- ---
index=0
while IFS= read -r file; do
    index=$((index + 1))
    compare_model "$index" "$file"
done < <(find -L "$@" -type f \( -iname '*.gltf' -o -iname '*.glb' \) | sort)
[ "$index" -gt 0 ] || die "there is no .gltf or .glb file in: $*"
