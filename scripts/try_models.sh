#!/usr/bin/env bash
# Tries every glTF file under a folder: encodes it, draws it by two backends, decodes it and encodes that again, and
# prints a table.
#   scripts/try_models.sh [--summary FILE] FOLDER...
#   SUBLET=PROGRAM scripts/try_models.sh ...              runs that program instead of building one
# --summary: also write what was read, noted and refused, with counts: docs/MODELS.md, "What became of them".
# Outcomes: ok; refused (one line says why); and those that must not be: crash, hang, wrong (a pixel differs between the
# backends that no counted tie explains), lost (what was decoded is not read back), unstable (encoding it once more
# gives other bytes).
# Exit status 1 when any of those that must not be occurred. Files and logs of each: build/try_models/.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

export limit=120        # seconds for one command
export size=320x180     # of the pictures
export backend=compact  # what `direct` is compared with
export out=$root/build/try_models

# measured LOG COMMAND...: runs it; adds its seconds and KiB of peak memory to LOG.time. Prints its exit status.
measured() {
    local log=$1 status=0
    shift
    /usr/bin/time --quiet -o "$log.time" -a -f '%e %M' timeout "$limit" "$@" >"$log.out" 2>"$log.err" </dev/null || status=$?
    echo "$status"
}

# outcome_of STATUS OTHERWISE
outcome_of() {
    case $1 in
        0) echo ok ;;
        1) echo "$2" ;;
        124) echo hang ;;
        *) echo crash ;;
    esac
}

render() { # LOG SCENE BACKEND SETTING...
    local log=$1 scene=$2 with=$3
    shift 3
    measured "$log" "$sublet" render "$scene" -o "$log.png" --json "$log.json" --size "$size" --backend "$with" \
        --environment none "$@"
}

# try INDEX FILE: leaves a row (outcome, seconds, MiB, triangles, notes, differing pixels, covered share, file, message)
# and the notes.
try() {
    local at=$out/$1 file=$2 outcome message='' pixels=- covered=- triangles=- notes=0
    rm -rf "$at"
    mkdir -p "$at"
    # The file's own text says what it uses; every parser of it would be another program to install.
    tr -d '\n\r' <"$file" | grep -ao '"extensions\(Used\|Required\)"[[:space:]]*:[[:space:]]*\[[^]]*\]' | sort -u | grep -o '"[A-Za-z0-9]*_[A-Za-z0-9_]*"' |
        tr -d '"' | sort -u >"$at/extensions" || true

    outcome=$(outcome_of "$(measured "$at/encode" "$sublet" encode "$file" -o "$at/1.sublet" --json "$at/encode.json")" refused)
    if [ "$outcome" = ok ]; then
        triangles=$(jq .totals.triangles "$at/encode.json")
        jq -r '.notes[]?' "$at/encode.json" | sort -u >"$at/notes"
        notes=$(wc -l <"$at/notes")
        outcome=$(outcome_of "$(render "$at/direct" "$file" direct --cull-instances off --cull-frustum off --cull-cone off)" lost)
    fi
    if [ "$outcome" = ok ]; then outcome=$(outcome_of "$(render "$at/$backend" "$at/1.sublet" "$backend")" lost); fi
    if [ "$outcome" = ok ]; then
        "$sublet" compare "$at/direct.png" "$at/$backend.png" --json "$at/compare.json" >/dev/null 2>&1 || true
        pixels=$(jq .differing_pixels "$at/compare.json")
        covered=$(jq -r --arg size "$size" '($size | split("x") | map(tonumber) | .[0] * .[1]) as $all |
            (100 * ($all - .background_pixels) / $all | round | tostring) + " %"' "$at/compare.json")
        if [ "$pixels" != 0 ]; then
            # Which of two surfaces at one depth is seen is left open, and counted.
            render "$at/ties" "$file" direct --count-ties on --cull-instances off --cull-frustum off --cull-cone off >/dev/null
            [ "$pixels" -le "$(jq '.depth_ties + .snapped_faces' "$at/ties.json")" ] || outcome=wrong
        fi
    fi
    # Twice there and back, under one name, since a .sublet keeps its source's.
    local from=1 to
    for to in 2 3; do
        [ "$outcome" = ok ] || break
        outcome=$(outcome_of "$(measured "$at/decode$to" "$sublet" decode "$at/$from.sublet" -o "$at/back.glb")" lost)
        [ "$outcome" != ok ] ||
            outcome=$(outcome_of "$(measured "$at/encode$to" "$sublet" encode "$at/back.glb" -o "$at/$to.sublet")" lost)
        from=$to
    done
    if [ "$outcome" = ok ] && ! cmp -s "$at/2.sublet" "$at/3.sublet"; then outcome=unstable; fi

    # The last command's word on it.
    if [ "$outcome" != ok ]; then message=$(cat "$at"/*.err | grep -a 'error' | tail -n 1 | sed "s|^error: *||; s|[^ ]*/||g" | cut -c 1-300); fi
    awk -v outcome="$outcome" -v triangles="$triangles" -v notes="$notes" -v pixels="$pixels" -v covered="$covered" -v file="$file" \
        -v message="$message" '{ seconds += $1; if ($2 > peak) peak = $2 } END { printf "%s\t%.1f\t%.0f\t%s\t%s\t%s\t%s\t%s\t%s\n",
            outcome, seconds, peak / 1024, triangles, notes, pixels, covered, file, message }' "$at"/*.time >"$at/row"
    rm -f "$at"/*.sublet "$at"/*.glb
}
export -f measured outcome_of render try

summary=
if [ "${1:-}" = --summary ]; then
    summary=${2:?"--summary names a file"}
    shift 2
fi
[ $# -gt 0 ] || die "usage: scripts/try_models.sh [--summary FILE] FOLDER..."
for folder in "$@"; do
    [ -d "$folder" ] || die "$folder: there is no such folder"
done

need_packages jq=jq time=/usr/bin/time
export sublet=${SUBLET:-}
if [ -z "$sublet" ]; then
    need_build_tools
    need_vulkan_device
    configure release
    build release --target sublet
    sublet=$root/build/release/bin/sublet
fi
# As in scripts/exactness.sh: Mesa's software driver would draw the last bit of a coordinate otherwise in each of its
# pipelines.
export GALLIUM_OVERRIDE_CPU_CAPS=sse4.1

rm -rf "$out"
mkdir -p "$out"
find -L "$@" -type f \( -iname '*.gltf' -o -iname '*.glb' -o -iname '*.vrm' \) | sort >"$out/files"
say "$(wc -l <"$out/files") files"
nl -ba -nln "$out/files" | sed 's/^\([0-9]*\) *\t/\1\n/' | tr '\n' '\0' | xargs -0 -n 2 -P "$(nproc)" bash -c 'try "$0" "$1"'

rows() { find "$out" -mindepth 2 -name row -exec cat {} + | sort -t "$(printf '\t')" -k 8; }
{
    printf 'outcome\tseconds\tMiB\ttriangles\tnotes\tpixels\tcovered\tfile\tmessage\n'
    rows
} | awk -F '\t' '{ printf "%-9s %7s %6s %11s %5s %6s %7s  %s%s\n", $1, $2, $3, $4, $5, $6, $7, $8, $9 == "" ? "" : "\n            " $9 }'

# counted: the lines of the input, each once, with the number of times that it is there, most first. In one order
# everywhere, whatever the locale.
counted() { LC_ALL=C sort | uniq -c | LC_ALL=C sort -k 1,1nr -k 2; }

# listed: what was counted, as a list of Markdown with no line of more than 120 columns.
listed() {
    awk '{
        line = "- " $1 ":"
        for (i = 2; i <= NF; i++) {
            if (length(line " " $i) > 120) { print line; line = " " }
            line = line " " $i
        }
        print line
    }'
}

if [ -n "$summary" ]; then
    {
        printf '| outcome | files |\n|---|---|\n'
        rows | cut -f 1 | counted | awk '{ print "| " $2 " | " $1 " |" }'
        printf '\n## Refused\n\nEach line begins with the number of files. N is any number.\n\n'
        rows | awk -F '\t' '$1 == "refused" { print $9 }' |
            sed 's/^[^:]*\.[a-zA-Z]*: //; s/[0-9][0-9]*/N/g' | counted | listed
        printf '\n## Opened with a note\n\n'
        printf 'A file may have several notes. Each line begins with the number of files.\n\n'
        find "$out" -mindepth 2 -name notes -exec cat {} + | counted | listed
        printf '\n## Extensions that the files use\n\n'
        printf 'An extension that a file uses is read, unless a note or the refusal names it.\n\n'
        printf '| extension used by | files | noted | refused for it |\n|---|---|---|---|\n'
        for extension in $(cat "$out"/*/extensions | LC_ALL=C sort -u); do
            used=0 noted=0 refused=0
            for at in $(grep -lx "$extension" "$out"/*/extensions | xargs -n 1 dirname); do
                used=$((used + 1))
                if grep -qs "$extension" "$at/notes"; then noted=$((noted + 1)); fi
                if grep -q "^refused.*$extension" "$at/row"; then refused=$((refused + 1)); fi
            done
            printf '| %s | %s | %s | %s |\n' "$extension" "$used" "$noted" "$refused"
        done
    } >"$summary"
    say "$summary"
fi
! rows | cut -f 1 | grep -qvx 'ok\|refused'
