#!/usr/bin/env python3
"""Draws what `sublet bench --micro raster --json FILE` measured, and prints it as the table of docs/BENCHMARKS.md.

    scripts/plot_raster.py OUT.svg FILE
"""

import json
import sys

import log_plot

COLORS = {
    "compact": "#e31a1c",
    "mesh-indirect": "#ff7f00",
    "mdi": "#b15928",
    "raster, limit 16": "#a6cee3",
    "raster, limit 64": "#33a02c",
    "raster, limit 256": "#1f78b4",
    "raster, limit 16384": "#6a3d9a",
}


def read(path):
    """{name: {area: median ms}} of whole frames of backends, and the device's name."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    lines = {}
    for run in document["runs"]:
        if run["unavailable"] is not None or (run["backend"] != "raster" and not run["cull-primitives"]):
            continue
        limit = run["raster-limit"]
        name = run["backend"] + ("" if limit is None else f", limit {limit}")
        if name in COLORS:
            lines.setdefault(name, {})[run["area"]] = run["ms"]["median"]
    return {name: lines[name] for name in COLORS if name in lines}, document["device"]["name"]


def table(lines):
    areas = sorted({area for line in lines.values() for area in line})
    print("| pixels of a triangle | " + " | ".join(f"{area:g}" for area in areas) + " |")
    print("|" + "---|" * (len(areas) + 1))
    for name, line in lines.items():
        print(f"| {name} | " + " | ".join(f"{line[area]:.3g}" for area in areas) + " |")


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__.strip())
    lines, device = read(arguments[1])
    table(lines)
    ticks = {area: f"{area:g}" for line in lines.values() for area in line}
    caption = f"ms by pixels of a triangle, both logarithmic; {device}"
    with open(arguments[0], "w", encoding="utf-8") as file:
        file.write(log_plot.plot(lines, COLORS, ticks, caption))


main(sys.argv[1:])
