# shellcheck shell=bash
# What demo.sh and test.sh share: setting up a Debian machine, configuring, building. Sourced, after `set -euo pipefail`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '== %s\n' "$*" >&2; }
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# cpu_minutes WHAT: keeps what CPU time this script and its programs took since it was last called, under that name.
cpu_before=0
cpu_table=()
cpu_minutes() {
    local file now
    file=$(mktemp)
    times >"$file"
    now=$(awk -F'[ms ]+' '{ for (i = 1; i < NF; i += 2) sum += 60 * $i + $(i + 1) } END { printf "%.1f", sum }' "$file")
    rm -f "$file"
    cpu_table+=("$(awk -v s="$now" -v b="$cpu_before" -v what="$1" 'BEGIN { printf "%6.1f  %s", (s - b) / 60, what }')")
    cpu_before=$now
}
# Prints the table: CPU minutes by what took them.
cpu_minutes_report() {
    printf '== CPU minutes\n' >&2
    printf '%s\n' "${cpu_table[@]}" >&2
    awk -v s="$cpu_before" 'BEGIN { printf "%6.1f  in all\n", s / 60 }' >&2
}

# run_quietly WHAT COMMAND...: shows the command's output only when it fails.
run_quietly() {
    local what=$1 output
    shift
    if ! output=$("$@" 2>&1 </dev/null); then
        printf '%s\n' "$output" | tail -n 40 >&2
        say "failed: $what"
        return 1
    fi
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo -n "$@"
    fi
}
can_be_root() { [ "$(id -u)" = 0 ] || { command -v sudo && sudo -n true; } >/dev/null 2>&1; }

apt_get() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 "$@"; }

# The root of the Debian mirror that apt uses; nothing before the first `apt-get update`.
debian_mirror() {
    # shellcheck disable=SC2016  # apt expands these
    apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Label: Debian' 2>/dev/null | head -n 1
}

# Brings the package lists up to date, once in a run: this machine may have none, or old ones.
lists_updated=
update_lists() {
    [ -z "$lists_updated" ] || return 0
    lists_updated=1
    # A repository that does not answer need not be one that is needed: what is missing shows when it is installed.
    run_quietly "apt-get update" apt_get update || true
}

# installed PROBE: whether a command, or a file given by its path, is there.
installed() {
    case $1 in
        /*) [ -e "$1" ] ;;
        *) command -v "$1" >/dev/null 2>&1 || [ -x "/usr/sbin/$1" ] ;;
    esac
}

# need_packages PACKAGE=PROBE...: installs those packages whose PROBE is not there.
need_packages() {
    local entry missing=()
    for entry in "$@"; do
        installed "${entry#*=}" || [[ " ${missing[*]-} " == *" ${entry%%=*} "* ]] || missing+=("${entry%%=*}")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null 2>&1 ||
        die "this is no Debian machine; install what these Debian packages hold, then run this again: ${missing[*]}"
    can_be_root || die "packages are missing; run this as root, or first: apt-get install ${missing[*]}"
    say "installing ${missing[*]}"
    update_lists
    run_quietly "apt-get install ${missing[*]}" apt_get install -y --no-install-recommends "${missing[@]}" ||
        die "cannot install the packages above: check this machine's apt sources and network"
}

# A recent Mesa: the software driver (lavapipe) of Debian 12's own release has no mesh shaders.
mesa_is_recent() { dpkg --compare-versions "${1:-0}" ge 24.1; }

# Whether a GPU is there, and a driver for it.
has_hardware_vulkan() {
    local node driver icd gpu=
    [ ! -e /dev/nvidiactl ] || gpu=nvidia
    for node in /sys/class/drm/renderD*/device/driver; do
        [ -e "$node" ] || continue
        driver=$(basename "$(readlink -f "$node")")
        # The GPUs of virtual machines have no Vulkan driver that can be counted on.
        case $driver in
            virtio* | vmwgfx | bochs* | cirrus* | qxl | vgem | vkms | simple*) ;;
            *) gpu=$driver ;;
        esac
    done
    [ -n "$gpu" ] || return 1
    for icd in ${VK_DRIVER_FILES:-} ${VK_ICD_FILENAMES:-} /etc/vulkan/icd.d/*.json /usr/share/vulkan/icd.d/*.json \
        /usr/local/share/vulkan/icd.d/*.json /usr/local/nvidia/share/vulkan/icd.d/*.json; do
        [ -e "$icd" ] || continue
        case $(basename "$icd") in
            lvp_* | virtio_*) ;;
            *nvidia*) [ "$gpu" != nvidia ] || return 0 ;;
            *) [ "$gpu" = nvidia ] || return 0 ;;
        esac
    done
    return 1
}

# A Vulkan device: the machine's GPU; or else Mesa's software driver, from this release when that has mesh shaders, from its
# backports when not.
need_vulkan_device() {
    need_packages libvulkan1=/usr/lib/"$(uname -m)"-linux-gnu/libvulkan.so.1
    if has_hardware_vulkan; then return 0; fi
    if ! command -v dpkg-query >/dev/null 2>&1; then
        say "no GPU's Vulkan driver was found: without Mesa's software driver (lavapipe) there may be no device"
        return 0
    fi
    mesa_is_recent "$(dpkg-query -W -f '${Version}' mesa-vulkan-drivers 2>/dev/null)" && return 0
    if ! can_be_root; then
        say "no recent Mesa and no root to install it: mesh shaders may be missing (package mesa-vulkan-drivers, backports)"
        return 0
    fi
    install_recent_mesa mesa-vulkan-drivers && return 0
    say "this release's own Mesa has no mesh shaders, other backends work"
    need_packages mesa-vulkan-drivers=/usr/share/vulkan/icd.d/lvp_icd."$(uname -m)".json
}

# install_recent_mesa PACKAGE...: packages of Mesa, all of one version: this release's when that is recent, else its
# backports'.
install_recent_mesa() {
    local package release mirror recent=1 list=/etc/apt/sources.list.d/sublet-backports.list
    [ -n "$(debian_mirror)" ] || update_lists
    for package in "$@"; do
        mesa_is_recent "$(apt-cache policy "$package" | sed -n 's/^ *Candidate: \([0-9]\)/\1/p')" || recent=
    done
    if [ -n "$recent" ]; then
        say "installing $*"
        update_lists
        run_quietly "apt-get install $*" apt_get install -y --no-install-recommends "$@"
        return
    fi
    release=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
    mirror=$(debian_mirror)
    # shellcheck disable=SC2016
    if ! apt-get indextargets --format '$(CODENAME)' 'Created-By: Packages' | grep -qx "$release-backports"; then
        # Backports have a priority of 100: what is installed of this release stays, and nothing else comes from there.
        printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' "$mirror" "$release-backports" |
            as_root tee "$list" >/dev/null
        lists_updated=
        update_lists
    fi
    say "installing $* from $release-backports"
    if ! run_quietly "$* from $release-backports" \
        apt_get install -y --no-install-recommends -t "$release-backports" "$@"; then
        as_root rm -f "$list"
        say "$release-backports cannot be reached"
        return 1
    fi
}

# GPUs that are not here, to compile for: Mesa's driver for AMD's, and the library that plays the kernel and the GPU for
# it.
absent_gpu_packages="mesa-vulkan-drivers mesa-drm-shim"
drm_shim=/usr/lib/$(uname -m)-linux-gnu/libamdgpu_noop_drm_shim.so
radv_icd() { compgen -G '/usr/share/vulkan/icd.d/radeon_icd*.json' | head -n 1; }
absent_gpus_installed() { [ -e "$drm_shim" ] && [ -n "$(radv_icd)" ]; }
need_absent_gpus() {
    if absent_gpus_installed; then return 0; fi
    # shellcheck disable=SC2086  # two packages
    if ! command -v apt-get >/dev/null 2>&1 || ! can_be_root || ! install_recent_mesa $absent_gpu_packages; then
        say "nothing compiles for GPUs that are not here without Debian's $absent_gpu_packages, of one version"
    fi
}

# What is needed to build: the tools, and what the window library is built with for X11 and Wayland.
need_build_tools() {
    need_packages build-essential=g++ build-essential=make cmake=cmake ninja-build=ninja glslc=glslc \
        pkg-config=pkg-config libwayland-dev=/usr/include/wayland-client.h libwayland-bin=wayland-scanner \
        libxkbcommon-dev=/usr/include/xkbcommon/xkbcommon.h \
        libopenexr-dev=/usr/include/OpenEXR/openexr.h libwebp-dev=/usr/include/webp/decode.h \
        libdraco-dev=/usr/include/draco/core/draco_version.h \
        ca-certificates=/etc/ssl/certs/ca-certificates.crt \
        libx11-dev=/usr/include/X11/Xlib.h libxrandr-dev=/usr/include/X11/extensions/Xrandr.h \
        libxinerama-dev=/usr/include/X11/extensions/Xinerama.h libxcursor-dev=/usr/include/X11/Xcursor/Xcursor.h \
        libxi-dev=/usr/include/X11/extensions/XInput2.h
    # Dependencies are fetched from the mirror that apt names, and it names none before its first update.
    if command -v apt-get >/dev/null 2>&1 && [ -z "$(debian_mirror)" ] && can_be_root; then update_lists; fi
}

# What is needed to build for Windows: no library of this machine has a part in it.
need_windows_build_tools() {
    need_packages g++-mingw-w64-x86-64-posix=x86_64-w64-mingw32-g++-posix cmake=cmake ninja-build=ninja glslc=glslc \
        ca-certificates=/etc/ssl/certs/ca-certificates.crt
    if command -v apt-get >/dev/null 2>&1 && [ -z "$(debian_mirror)" ] && can_be_root; then update_lists; fi
}

# Whether all of that is there, or can be installed.
can_build_for_windows() {
    command -v x86_64-w64-mingw32-g++-posix >/dev/null 2>&1 || { command -v apt-get >/dev/null 2>&1 && can_be_root; }
}

# What the tests need beside the tools of the build.
need_test_tools() {
    need_packages vulkan-validationlayers=/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json \
        xvfb=Xvfb xauth=xauth weston=weston xdotool=xdotool assimp-testmodels=/usr/share/assimp/models \
        dpkg-dev=dpkg-shlibdeps desktop-file-utils=desktop-file-validate shared-mime-info=update-mime-database
    need_packages gfxreconstruct=gfxrecon-convert
    need_packages wine=wine
    need_packages "libjemalloc2=/usr/lib/$(uname -m)-linux-gnu/libjemalloc.so.2"
    need_packages groff-base=groff mandoc=mandoc zsh=zsh fish=fish
    need_vulkan_device
    need_absent_gpus
}

# A clang with libFuzzer: the sanitized build is made by it.
need_fuzzer() {
    need_packages clang=clang++
    local version
    version=$(clang++ -dumpversion)
    need_packages "libclang-rt-${version%%.*}-dev=$(clang++ -print-runtime-dir)/libclang_rt.fuzzer-$(uname -m).a"
}

# configure PRESET [ARGUMENT...]
configure() {
    local preset=$1
    shift
    if command -v ccache >/dev/null 2>&1; then
        export CMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER-ccache}
        export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
    fi
    say "configuring ($preset)"
    # Several sources compiled as one: a whole build takes half the time.
    (cd "$root" && run_quietly "cmake --preset $preset" cmake --preset "$preset" -DCMAKE_UNITY_BUILD=ON \
        -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 "$@") || exit 1
}

# build PRESET [ARGUMENT...]
build() {
    local preset=$1
    shift
    say "building ($preset)"
    # On a terminal ninja's account of its progress is one line; elsewhere it would be thousands.
    if [ -t 1 ]; then
        (cd "$root" && cmake --build --preset "$preset" "$@") || exit 1
    else
        (cd "$root" && run_quietly "cmake --build --preset $preset" cmake --build --preset "$preset" "$@") || exit 1
    fi
}
