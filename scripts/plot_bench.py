#!/usr/bin/env python3
"""Draws what `sublet bench --json FILE` measured: for each run a bar, the medians of its passes side by side.

    scripts/plot_bench.py FILE.json -o OUT.svg|OUT.png [--lines]

--lines: GPU times over frames instead, a line for each run; of a single run, a line for each pass.
A .png is made from the drawing by rsvg-convert, which has to be installed.
"""

import argparse
import html
import json
import math
import shutil
import subprocess
import sys

COLORS = [
    "#1f78b4", "#33a02c", "#e31a1c", "#ff7f00", "#6a3d9a", "#b15928",
    "#a6cee3", "#b2df8a", "#fb9a99", "#fdbf6f", "#cab2d6", "#d0c050",
]
REST = "#cccccc"
LEFT, TOP, WIDTH, BAR, LEGEND_ROW = 170, 16, 520, 22, 16


def label(run):
    """What sets a run apart from the others."""
    varied = " ".join(value or "-" for value in run["vary"].values())
    return varied or run["settings"]["backend"]


def steps(most):
    """Round numbers from 0 to a little more than `most`, some five of them."""
    raw = most / 5
    unit = 10 ** math.floor(math.log10(raw))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= raw)
    return [step * i for i in range(math.ceil(most / step) + 1)]


class Drawing:
    def __init__(self):
        self.parts = []

    def add(self, part):
        self.parts.append(part)

    def text(self, x, y, words, anchor="middle"):
        self.add(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#333">{html.escape(words)}</text>')

    def legend(self, x, y, entries):
        for i, (name, color) in enumerate(entries):
            self.add(f'<rect x="{x}" y="{y + i * LEGEND_ROW - 9}" width="10" height="10" fill="{color}"/>')
            self.text(x + 16, y + i * LEGEND_ROW, name, "start")

    def svg(self, width, height):
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
            f'height="{height:.0f}" font-family="sans-serif" font-size="11">\n'
            '<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(self.parts) + "\n</svg>\n"
        )


def bars(runs, caption):
    names = []
    for run in runs:
        names += [p["name"] for p in run["passes"] if p["median_ms"] is not None and p["name"] not in names]
    color = {name: COLORS[i % len(COLORS)] for i, name in enumerate(names)}
    sums = [sum(p["median_ms"] or 0.0 for p in run["passes"]) for run in runs]
    wholes = [max(run["gpu_ms"]["median"], total) for run, total in zip(runs, sums)]
    scale = steps(max(wholes))
    out = Drawing()
    bottom = TOP + len(runs) * (BAR + 8)
    for ms in scale:
        x = LEFT + ms / scale[-1] * WIDTH
        out.add(f'<path d="M{x:.1f} {TOP}V{bottom}" stroke="#ddd"/>')
        out.text(x, bottom + 14, f"{ms:g}")
    for row, (run, whole) in enumerate(zip(runs, wholes)):
        y = TOP + 4 + row * (BAR + 8)
        out.text(LEFT - 8, y + 15, label(run), "end")
        at = 0.0
        parts = [(p["name"], p["median_ms"], color[p["name"]]) for p in run["passes"] if p["median_ms"]]
        # What lies between passes; medians need not add up.
        parts.append(("between passes", whole - sum(ms for _, ms, _ in parts), REST))
        for name, ms, fill in parts:
            x, width = LEFT + at / scale[-1] * WIDTH, ms / scale[-1] * WIDTH
            out.add(
                f'<rect x="{x:.2f}" y="{y}" width="{max(width, 0):.2f}" height="{BAR}" fill="{fill}">'
                f"<title>{html.escape(name)}: {ms:.4g} ms</title></rect>"
            )
            at += ms
        out.text(LEFT + whole / scale[-1] * WIDTH + 6, y + 15, f"{run['gpu_ms']['median']:.4g}", "start")
    out.text(LEFT + WIDTH / 2, bottom + 32, caption)
    entries = [(name, color[name]) for name in names] + [("between passes", REST)]
    out.legend(LEFT + WIDTH + 70, TOP + 12, entries)
    return out.svg(LEFT + WIDTH + 260, max(bottom + 44, TOP + 20 + len(entries) * LEGEND_ROW))


def series(runs):
    """[(name, frames, ms)], without frames that have no time."""
    if len(runs) == 1:
        all_lines = [("whole frame", runs[0]["series"]["gpu_ms"])]
        all_lines += [(p["name"], p["ms"]) for p in runs[0]["series"]["passes"]]
        all_lines = [(name, runs[0]["series"]["frames"], ms) for name, ms in all_lines]
    else:
        all_lines = [(label(run), run["series"]["frames"], run["series"]["gpu_ms"]) for run in runs]
    found = []
    for name, frames, times in all_lines:
        points = [(frame, ms) for frame, ms in zip(frames, times) if ms is not None]
        if points:
            found.append((name, points))
    return found


def lines(runs, caption):
    found = series(runs)
    if not found:
        sys.exit("no frame of these runs was timed")
    height = 300
    scale = steps(max(ms for _, points in found for _, ms in points))
    last = max(max(frame for _, points in found for frame, _ in points), 1)
    left = 60
    out = Drawing()
    for ms in scale:
        y = TOP + height - ms / scale[-1] * height
        out.add(f'<path d="M{left} {y:.1f}h{WIDTH}" stroke="#ddd"/>')
        out.text(left - 6, y + 4, f"{ms:g}", "end")
    for frame in steps(last):
        if frame <= last and frame == int(frame):
            out.text(left + frame / last * WIDTH, TOP + height + 15, f"{frame:g}")
    for i, (_, points) in enumerate(found):
        color = COLORS[i % len(COLORS)]
        places = [(left + f / last * WIDTH, TOP + height - ms / scale[-1] * height) for f, ms in points]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        out.add(f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="1.5"/>')
        if len(places) == 1:
            out.add(f'<circle cx="{places[0][0]:.1f}" cy="{places[0][1]:.1f}" r="2.6" fill="{color}"/>')
    out.text(left + WIDTH / 2, TOP + height + 34, caption + ", over frames")
    out.legend(left + WIDTH + 24, TOP + 12, [(name, COLORS[i % len(COLORS)]) for i, (name, _) in enumerate(found)])
    return out.svg(left + WIDTH + 220, max(TOP + height + 46, TOP + 20 + len(found) * LEGEND_ROW))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--lines", action="store_true")
    arguments = parser.parse_args()
    with open(arguments.file, encoding="utf-8") as file:
        document = json.load(file)
    if "runs" not in document or not all("vary" in run for run in document["runs"]):
        sys.exit(f"{arguments.file}: is not of `sublet bench --json FILE` with a scene")
    runs = [run for run in document["runs"] if run["gpu_ms"]["median"] is not None]
    if not runs:
        sys.exit(f"{arguments.file}: no run was timed by the GPU")
    width, height = document["size"]
    caption = f"GPU ms; {document['scene']}, {width}x{height}, {runs[0]['device']['name']}"
    drawing = lines(runs, caption) if arguments.lines else bars(runs, caption)
    if arguments.output.endswith(".svg"):
        with open(arguments.output, "w", encoding="utf-8") as file:
            file.write(drawing)
    elif arguments.output.endswith(".png"):
        if shutil.which("rsvg-convert") is None:
            sys.exit("a .png needs rsvg-convert (package librsvg2-bin); a .svg needs nothing")
        subprocess.run(["rsvg-convert", "-z", "2", "-o", arguments.output], input=drawing.encode(), check=True)
    else:
        sys.exit(f"-o {arguments.output}: is neither .svg nor .png")


main()
