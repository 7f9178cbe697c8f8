#!/usr/bin/env python3
"""Draws what `sublet bench --micro raster --json FILE` measured, and prints it as the table of docs/BENCHMARKS.md.

    scripts/plot_raster.py OUT.svg FILE
"""

import json
import math
import sys

COLORS = {
    "compact": "#e31a1c",
    "mesh-indirect": "#ff7f00",
    "mdi": "#b15928",
    "raster, limit 16": "#a6cee3",
    "raster, limit 64": "#33a02c",
    "raster, limit 256": "#1f78b4",
    "raster, limit 16384": "#6a3d9a",
}
WIDTH, HEIGHT, LEFT, TOP, LEGEND = 430, 260, 52, 26, 150


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


def plot(lines, device):
    areas = sorted({area for line in lines.values() for area in line})
    times = [ms for line in lines.values() for ms in line.values()]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    out = []

    def text(x, y, words, anchor="middle"):
        out.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#333">{words}</text>')

    def x_of(area):
        span = math.log10(areas[-1]) - math.log10(areas[0])
        return LEFT + 14 + (math.log10(area) - math.log10(areas[0])) / span * (WIDTH - 28)

    def y_of(ms):
        return TOP + HEIGHT - (math.log10(ms) - low) / (high - low) * HEIGHT

    for power in range(low, high + 1):
        y = y_of(10.0**power)
        out.append(f'<path d="M{LEFT} {y:.1f}h{WIDTH}" stroke="#ddd"/>')
        text(LEFT - 6, y + 4, f"{10.0**power:g}", "end")
    for area in areas:
        text(x_of(area), TOP + HEIGHT + 15, f"{area:g}")
    for i, (name, line) in enumerate(lines.items()):
        points = [(x_of(area), y_of(ms)) for area, ms in sorted(line.items())]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        out.append(f'<path d="M{path}" fill="none" stroke="{COLORS[name]}" stroke-width="1.8"/>')
        out.extend(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{COLORS[name]}"/>' for x, y in points)
        y = TOP + 14 + i * 20
        out.append(f'<path d="M{LEFT + WIDTH + 12} {y}h14" stroke="{COLORS[name]}" stroke-width="3"/>')
        text(LEFT + WIDTH + 32, y + 4, name, "start")
    text(LEFT + WIDTH / 2, TOP + HEIGHT + 34, f"ms by pixels of a triangle, both logarithmic; {device}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + LEGEND} {TOP + HEIGHT + 46}" '
        'font-family="sans-serif" font-size="11">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(out)
        + "\n</svg>\n"
    )


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__.strip())
    lines, device = read(arguments[1])
    table(lines)
    with open(arguments[0], "w", encoding="utf-8") as file:
        file.write(plot(lines, device))


main(sys.argv[1:])
