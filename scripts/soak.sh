#!/usr/bin/env bash
# Works on the viewer for minutes as a restless user would, on a display of its own: clicks, drags, keys, the wheel,
# resizes, scenes dropped on it, all at random from a seed. Exit status 1 when it ends unasked, when the validation
# layer says anything, or when its memory is larger in the last third than in the first by more than a bound.
#   scripts/soak.sh [--minutes N] [--seed N] [--growth PERCENT] [SCENE...]
#   SUBLET=PROGRAM DROP_FILE=PROGRAM scripts/soak.sh ...    runs those programs instead of building them
# SCENE: .gltf, .glb or .sublet; the viewer starts with the built-in scene. Left out, some of Debian's test models.
# Defaults: 15 minutes, seed 1, 20 percent. Left behind in build/soak/: actions.log, samples.csv (seconds, resident MiB,
# percent of a core, scene), view.json, what the viewer said, and its last picture.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage="usage: scripts/soak.sh [--minutes N] [--seed N] [--growth PERCENT] [SCENE...]"
minutes=15 seed=1 growth=20
while [ $# -gt 0 ]; do
    case $1 in
        --minutes | --seed | --growth)
            [[ ${2:-} =~ ^[0-9]+$ ]] || die "$usage"
            printf -v "${1#--}" %s "$2"
            shift 2
            ;;
        -*) die "$usage" ;;
        *) break ;;
    esac
done
models=/usr/share/assimp/models
packages="xvfb=Xvfb xdotool=xdotool imagemagick=import"
packages+=" vulkan-validationlayers=/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json"
[ $# -gt 0 ] || packages+=" assimp-testmodels=$models"
# shellcheck disable=SC2086  # many
need_packages $packages
if [ $# -eq 0 ]; then
    set -- "$models"/glTF2/{2CylinderEngine-glTF-Binary,BoxTextured-glTF-Binary,ClearCoat-glTF,simple_skin}/*.gl*
fi
scenes=()
for scene in "$@"; do
    [ -f "$scene" ] || die "$scene: there is no such file"
    scenes+=("$(realpath "$scene")")
done
sublet=${SUBLET:-} drop_file=${DROP_FILE:-}
if [ -z "$sublet" ] || [ -z "$drop_file" ]; then
    need_build_tools
    need_vulkan_device
    configure release
    build release --target sublet drop_file
    sublet=$root/build/release/bin/sublet drop_file=$root/build/release/bin/drop_file
fi

out=$root/build/soak
rm -rf "$out"
mkdir -p "$out"
server='' viewer='' sampler=''
clean_up() {
    for process in $sampler $viewer $server; do kill "$process" 2>/dev/null || true; done
}
trap clean_up EXIT

Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp -noreset 3>"$out/display" 2>/dev/null &
server=$!
for ((i = 0; i < 100; i++)); do
    [ ! -s "$out/display" ] || break
    sleep 0.1
done
DISPLAY=:$(cat "$out/display")
export DISPLAY
unset WAYLAND_DISPLAY

# In its own folder: recorded paths go to where it is started.
cd "$out"
alive() { kill -0 "$viewer" 2>/dev/null; }
open_viewer() {
    rm -f view.json
    "$sublet" view --size 1100x700 --validation on --json view.json >view.out 2>view.err &
    viewer=$!
    window=''
    for ((i = 0; i < 600; i++)); do
        alive || die "the viewer did not start: $(tail -n 3 view.err)"
        window=$(xdotool search --onlyvisible --name Sublet 2>/dev/null | head -n 1) || true
        [ -z "$window" ] || break
        sleep 0.1
    done
    [ -n "$window" ] || die "no window appeared"
    echo built-in >scene
    echo "$viewer" >pid
}
# Of a viewer that has ended: it must have been asked to, and the validation layer silent.
expect_good_end() {
    local status=0
    wait "$viewer" || status=$?
    viewer=''
    [ "$status" = 0 ] || die "the viewer ended with status $status: $(tail -n 3 view.err)"
    grep -Eq '"validation_messages": 0,?$' view.json || die "the validation layer spoke, or was not there: view.json"
}
open_viewer
sample() {
    local before='' pid ticks rss now start hertz
    hertz=$(getconf CLK_TCK)
    start=$(date +%s)
    echo "seconds,resident_mib,cpu_percent,scene"
    while pid=$(cat pid); do
        ticks=$(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null | awk '{ print $12 + $13 }') || ticks=''
        rss=$(awk '/^VmRSS/ { printf "%.1f", $2 / 1024 }' "/proc/$pid/status" 2>/dev/null) || rss=''
        [ -n "$ticks" ] || before=''
        now=$(($(date +%s) - start))
        if [ -n "$before" ] && [ -n "$rss" ]; then
            echo "$now,$rss,$(((ticks - before) * 100 / (2 * hertz))),$(cat scene)"
        fi
        before=$ticks
        sleep 2
    done
}
sample >samples.csv &
sampler=$!

# The same seed gives the same actions; how far they come depends on the machine.
RANDOM=$seed
pick() { # sets `picked` to one of its arguments: a subshell would keep its random numbers to itself
    picked=${*:RANDOM % $# + 1:1}
}
keys=(w a s d q e Up Down Left Right shift+w alt+w f g r c v k p Tab F1 Escape space Return ctrl+1 ctrl+2 alt+1 alt+2
    1 2 3 4 5 6 7 8 9 0 question m n period comma)
width=1100 height=700
place() { x=$((RANDOM % width)) y=$((RANDOM % height)); }
log() { echo "$SECONDS $*" >>actions.log; }
do_something() {
    local kind=$((RANDOM % 100))
    place
    if ((kind < 25)); then
        log "click $x $y"
        xdotool mousemove --window "$window" "$x" "$y" sleep 0.05 mousedown 1 sleep 0.05 mouseup 1
    elif ((kind < 50)); then
        local x0=$x y0=$y button
        pick 1 1 1 2 3
        button=$picked
        place
        log "drag $button $x0 $y0 $x $y"
        xdotool mousemove --window "$window" "$x0" "$y0" mousedown "$button" sleep 0.05 \
            mousemove --window "$window" $(((x0 + x) / 2)) $(((y0 + y) / 2)) sleep 0.05 \
            mousemove --window "$window" "$x" "$y" sleep 0.05 mouseup "$button"
    elif ((kind < 65)); then
        pick 4 5
        log "wheel $picked $x $y"
        xdotool mousemove --window "$window" "$x" "$y" click --repeat $((RANDOM % 5 + 1)) --delay 20 "$picked"
    elif ((kind < 92)); then
        pick "${keys[@]}"
        log "key $picked"
        xdotool keydown "$picked" sleep 0.$((RANDOM % 3)) keyup "$picked"
    elif ((kind < 97)); then
        width=$((RANDOM % 1300 + 200)) height=$((RANDOM % 800 + 150))
        log "resize $width $height"
        xdotool windowsize "$window" "$width" "$height"
    elif [ ${#scenes[@]} -gt 0 ]; then
        pick "${scenes[@]}"
        log "drop $picked"
        local uri=${picked//%/%25}
        if timeout 40 "$drop_file" "$DISPLAY" "$window" "${uri// /%20}"; then basename "$picked" >scene; fi
    fi
}
say "working on the viewer for $minutes minutes, seed $seed"
end=$((SECONDS + 60 * minutes))
actions=0
quits=0
while ((SECONDS < end)); do
    do_something >/dev/null 2>&1 || true
    actions=$((actions + 1))
    sleep 0.1
    alive && continue
    # Some clicks choose Quit in the menu.
    expect_good_end
    log "the viewer has quit"
    quits=$((quits + 1))
    open_viewer
done
import -window root last.png 2>/dev/null || true

"$drop_file" "$DISPLAY" "$window" close
for ((i = 0; i < 600; i++)); do
    alive || break
    sleep 0.1
done
! alive || die "the viewer does not close"
expect_good_end

say "$actions actions; by $quits the viewer was quit, and started again"
echo "samples of $(($(wc -l <samples.csv) - 1)) moments in $out/samples.csv"
# Of thirds of the time, the median: a scene that is being loaded takes twice its memory for a moment.
median() { sort -n | awk '{ v[NR] = $1 } END { if (NR == 0) exit 1; print v[int((NR + 1) / 2)] }'; }
third=$((20 * minutes))
first=$(awk -F , -v t="$third" 'NR > 1 && $1 <= t { print $2 }' samples.csv | median)
last=$(awk -F , -v t="$((2 * third))" 'NR > 1 && $1 > t { print $2 }' samples.csv | median)
echo "resident memory, median: $first MiB in the first third, $last MiB in the last"
awk -v a="$first" -v b="$last" -v g="$growth" 'BEGIN { exit !(b <= a * (1 + g / 100)) }' ||
    die "memory grew by more than $growth percent"
