#!/usr/bin/env bash
# Compiles shaders for GPUs that are not here, and prints what each takes: registers, spills, shared memory (LDS) and
# occupancy. Mesa's driver RADV runs as it is. Mesa's drm-shim stands in for the kernel and the GPU: what is submitted
# does nothing, so nothing is drawn or timed. Exit status 1 when a pipeline fails to compile, or a shader spills.
#   scripts/compile_for_gpus.sh [GPU[:BACKEND,...]...]     GPU: a name of drm-shim's; by default navi21 navi31 gfx1150
#                                                   vega10. Of those backends, or of all.
#   scripts/compile_for_gpus.sh --log GPU <LOG      judges what the program wrote to stderr before, and compiles nothing
#   SUBLET_PROGRAM=PROGRAM scripts/compile_for_gpus.sh ...      runs that program instead of building one
#   SUBLET_EVERY_WAY=1 scripts/compile_for_gpus.sh ...          lets what picks shaders vary together, not one by one
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

onoff=on,off
culling="--vary cull-instances=$onoff --vary cull-frustum=$onoff --vary cull-cone=$onoff --vary cull-occlusion=$onoff"
culling+=" --vary cull-sublets=$onoff --vary cull-primitives=$onoff"
expansion="--vary expansion=max-n,per-item,linear,prefix-sum,scan,buckets,task-list --vary cull-occlusion=$onoff"
inside="--vary view=overdraw,culled --vary payload=encoded,decoded --wireframe on --bounds spheres"
shadows="--shadows on --vary payload=encoded,decoded"
blended="--taa on --ambient-occlusion on --vary blend-layers=0,8"
views="--view phase --vary payload=encoded,decoded --vary without=,descriptor-indexing"
# Prefix sums of 32-bit words, and of several passes; lists of 16-bit indices.
scans="--expansion scan --vary without=,int64-atomics,memory-model"

# subgroup_sizes GPU: those that its shaders can be asked for, for --subgroup.
subgroup_sizes() { if [ "${1#vega}" != "$1" ]; then echo 64,general; else echo 32,64,general; fi; }

# combinations BACKEND GPU: lines of arguments of `sublet bench`. With SUBLET_EVERY_WAY they reach every pipeline of the
# backend: what picks shaders varies together. Without, each varies alone, where its shaders are not another backend's.
combinations() {
    local sublets
    sublets="--vary payload=encoded,decoded --vary subgroup=$(subgroup_sizes "$2")"
    local groups="--vary meshlet-workgroup=32,64,128,256" output="--vary local-invocation-output=$onoff"
    if [ -n "${SUBLET_EVERY_WAY:-}" ]; then
        sublets+=" --vary cull-occlusion=$onoff"
        local details="--vary occlusion-detail=meshlets,sublets"
        case $1 in
            compact) echo "$sublets $details,primitives" ;;
            mesh-indirect | task-mesh) echo "$sublets $groups $details,primitives" ;;
            mesh-sublets) printf '%s\n' "$sublets $groups $output" "$sublets $details" ;;
            graph) echo "$sublets $details" ;; # its mesh shaders are those of mesh-sublets
            task-flat | task-hierarchical) echo "$sublets $groups $output" ;;
            raster) printf '%s\n' "$sublets $details" "$sublets --without int64-atomics" ;;
        esac
        case $1 in mesh-* | task-mesh | raster | graph) echo "$expansion" ;; esac
    fi
    case $1 in
        compact)
            printf '%s\n' "$sublets" "$views" "$inside" "$scans" "$expansion" "$shadows" "$blended" \
                "--without subgroup-size-control" "--count-ties on"
            ;;
        mesh-indirect) printf '%s\n' "$sublets" "$groups" ;;
        mesh-sublets | task-hierarchical) printf '%s\n' "$sublets" "$groups" "$output" ;;
        task-mesh | task-flat) echo "$sublets" ;;
        mdi)
            printf '%s\n' "$expansion" "$expansion --cull-sublets off" \
                "--vary without=,draw-parameters,index-uint8 --vary cull-sublets=$onoff" \
                "--vary without=multi-draw,geometry-shader,draw-count" "--without multi-draw,index-uint8"
            ;;
        graph) printf '%s\n' "--vary without=,mesh-shader" "--vary occlusion-detail=meshlets,sublets" ;;
        generated) echo "--vary without=,mesh-shader --vary cull-sublets=$onoff" ;;
        raster)
            # Shading is that of every backend: compact compiles it. It does not draw the built-in scene without
            # descriptor indexing, since that has masks.
            printf '%s\n' "$sublets" "--without int64-atomics" "--shadows on" "--count-ties on"
            ;;
        direct) echo "--vary without=,geometry-shader" ;;
        *) die "$1: this script does not know what to vary of that backend" ;;
    esac
    echo "$culling"
}

# judge GPU: reads what the program wrote, prints a row for each shader that differs from those before, with the first
# settings that compile it, and adds it to $rows.
# Exit status 1 when one spills, when none was there, or one of which too little is known to tell.
judge() {
    local waves # the most that a SIMD holds, counted in subgroups of 32 as RADV does, which counts one of 64 twice
    case $1 in
        vega* | raven* | renoir) waves=10 ;;
        polaris*) waves=8 ;;
        navi1*) waves=20 ;;
        *) waves=16 ;;
    esac
    awk -v gpu="$1" -v waves="$waves" -v rows="$rows" '
        /^note: settings: / { settings = substr($0, 17) }
        /^note: shader / {
            shaders++
            at = match($0, /\047 [a-z+]+, [0-9]+ lanes: /)
            name = substr($0, 15, at - 15)
            sub(/( [12])?( \(further rounds\))?$/, "", name) # both phases of a pass are one row
            split(substr($0, at + 2, RLENGTH), words, /[, ]+/)
            stage = words[1]
            lanes = words[2]
            delete value
            count = split(substr($0, at + RLENGTH), parts, ", ")
            for (i = 1; i <= count; i++) {
                space = match(parts[i], / [^ ]*$/)
                value[substr(parts[i], 1, space - 1)] = substr(parts[i], space + 1)
            }
            known = at > 0
            split("VGPRs,SGPRs,Spilled VGPRs,Spilled SGPRs,Scratch size,LDS size,Subgroups per SIMD", needed, ",")
            for (i in needed) known = known && (needed[i] in value)
            if (!known) {
                print "not understood: " $0
                bad = 1
                next
            }
            most = lanes == 64 && waves >= 16 ? 2 * waves : waves
            spills = value["Spilled VGPRs"] + value["Spilled SGPRs"]
            row = sprintf("%-8s %-17s %-8s %5d %5d %5d %6d %7d %5d  %2d/%d", gpu, name, stage, lanes,
                          value["VGPRs"], value["SGPRs"], spills, value["Scratch size"], value["LDS size"],
                          value["Subgroups per SIMD"], most)
            if (!(row in seen)) {
                seen[row] = 1
                print row "  " settings
                printf "%s\t%s %s\t%d\t%d\t%d\t%d\n", gpu, name, stage, lanes, value["VGPRs"], value["LDS size"],
                       100 * value["Subgroups per SIMD"] / most >>rows
            }
            if (spills > 0 || value["Scratch size"] > 0) {
                print "spills: " gpu ", " name " " stage ", with " settings
                bad = 1
            }
        }
        END {
            if (!shaders) print "no shader: " gpu " compiled none, or the program does not say"
            exit bad || !shaders
        }'
}

# summary GPU...: $rows as docs/BENCHMARKS.md has them: of each shader the fewest and most VGPRs, the most LDS and the
# least occupancy.
summary() {
    awk -F '\t' -v gpus="$*" '
        { shader = $2; key = $1 "\t" shader }
        !(shader in known) { known[shader] = 1; order[++shaders] = shader }
        !(key in least) { least[key] = 1e9; most[key] = lds[key] = 0; occupancy[key] = 100 }
        { if ($4 < least[key]) least[key] = $4; if ($4 > most[key]) most[key] = $4 }
        { if ($5 > lds[key]) lds[key] = $5; if ($6 < occupancy[key]) occupancy[key] = $6 }
        END {
            count = split(gpus, names, " ")
            head = "| shader |"
            rule = "|---|"
            for (i = 1; i <= count; i++) { head = head " " names[i] " |"; rule = rule "---|" }
            print head "\n" rule
            for (s = 1; s <= shaders; s++) {
                line = "| " order[s] " |"
                for (i = 1; i <= count; i++) {
                    key = names[i] "\t" order[s]
                    if (!(key in least)) {
                        line = line " – |"
                        continue
                    }
                    range = least[key] == most[key] ? most[key] : least[key] "–" most[key]
                    line = line " " range ", " lds[key] ", " occupancy[key] " % |"
                }
                print line
            }
        }' "$rows"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rows=$work/rows
: >"$rows"
header=$(printf '%-8s %-17s %-8s %5s %5s %5s %6s %7s %5s  %s' \
    GPU pipeline stage lanes VGPRs SGPRs spills scratch LDS occupancy)

if [ "${1:-}" = --log ]; then
    [ $# = 2 ] || die "--log: which GPU is it of?"
    judge "$2"
    exit
fi
[ $# -gt 0 ] || set -- navi21 navi31 gfx1150 vega10

absent_gpus_installed ||
    die "Mesa's RADV and drm-shim are needed, both of one version: apt-get install $absent_gpu_packages"
program=${SUBLET_PROGRAM:-}
if [ -z "$program" ]; then
    need_build_tools
    configure release
    build release --target sublet
    program=$root/build/release/bin/sublet
fi

# as_gpu GPU ARGUMENT...: the program on that GPU. The user's caches are of real devices: they stay as they are. With
# one of its own, the driver compiles once what several runs need.
as_gpu() {
    LD_PRELOAD=$drm_shim AMDGPU_GPU_ID=$1 VK_DRIVER_FILES=$(radv_icd) \
        XDG_CACHE_HOME=$work MESA_SHADER_CACHE_DIR=$work/mesa "$program" "${@:2}"
}

# compile GPU NUMBER BACKEND ARGUMENT...: makes what a frame with these arguments needs. Without the cache of scenes:
# drm-shim crashes where two threads open their first files at once, here the cache's and the device's.
compile() {
    local log=$work/$1.log.$2
    as_gpu "$1" bench --cache off --shader-statistics on --backend "$3" --size 64x64 --frames 1 --warmup 0 "${@:4}" \
        >/dev/null 2>"$log" </dev/null || echo "fails: $1, ${*:3}: $(tail -n 1 "$log")" >"$log.failed"
}

status=0
gpus=()
for argument in "$@"; do
    gpu=${argument%%:*}
    gpus+=("$gpu")
    backends=
    [ "$gpu" = "$argument" ] || backends=,${argument#*:},
    devices=$(as_gpu "$gpu" devices 2>&1) || true
    # Another device would mean that the shim did not take, or that its list of names has changed.
    grep -qi "^0: .*(RADV $gpu)" <<<"$devices" || die "$gpu: drm-shim has no such GPU: ${devices##*$'\n'}"
    for backend in ${backends//,/ }; do
        grep -q "^ *backend $backend:" <<<"$devices" || die "$argument: there is no backend '$backend'"
    done
    log=$work/$gpu.log
    runs=0
    while IFS=' :' read -r _ backend has reason; do
        [ -z "$backends" ] || [[ $backends == *,$backend,* ]] || continue
        if [ "$has" != yes ]; then
            echo "$gpu: $backend is not for this GPU: $reason"
            continue
        fi
        while read -r -a arguments; do
            [ "$(jobs -pr | wc -l)" -lt "$(nproc)" ] || wait -n || true
            runs=$((runs + 1))
            compile "$gpu" "$runs" "$backend" "${arguments[@]}" &
        done < <(combinations "$backend" "$gpu")
    done < <(sed -n 's/^ *backend /- /p' <<<"$devices")
    wait
    [ "$runs" -gt 0 ] || die "$argument: that GPU draws by none of these backends"
    for ((run = 1; run <= runs; run++)); do cat "$log.$run"; done >"$log"
    ! cat "$log".*.failed 2>/dev/null || status=1
    echo "$header"
    judge "$gpu" <"$log" || status=1
done
echo
summary "${gpus[@]}"
exit "$status"
