#!/usr/bin/env python3
"""Draws frame times over the triangles that scenes hold, with and without levels of detail.

    scripts/plot_levels.py OUT.svg TRIANGLES=FILE...

FILE is what `sublet bench SCENE --vary lod=on,off --json FILE` measured, of a scene of so many triangles.
`--vary lod=on` is for a scene that is too large to be drawn without levels.
"""

import json
import sys

import log_plot

COLORS = {"on": "#1f78b4", "off": "#e31a1c"}
NAMES = {"on": "levels of detail", "off": "the finest level"}


def main(arguments):
    if len(arguments) < 3:
        sys.exit(__doc__.strip())
    lines = {name: {} for name in NAMES.values()}
    device = ""
    for argument in arguments[1:]:
        triangles, _, path = argument.partition("=")
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        for run in document["runs"]:
            device = run["device"]["name"]
            lines[NAMES[run["vary"]["lod"]]][int(triangles)] = run["gpu_ms"]["median"]
    powers = range(5, 13)
    colors = {NAMES[lod]: color for lod, color in COLORS.items()}
    ticks = {10**power: f"10<tspan dy='-4' font-size='8'>{power}</tspan>" for power in powers}
    caption = f"ms of a frame by triangles of the scene, both logarithmic; {device}"
    with open(arguments[0], "w", encoding="utf-8") as file:
        file.write(log_plot.plot(lines, colors, ticks, caption))


main(sys.argv[1:])
