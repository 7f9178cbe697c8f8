#!/usr/bin/env python3
"""Draws what `sublet bench --json FILE` or `--csv FILE` measured: for each run a bar, the medians of its passes side by
side.

    scripts/plot_bench.py FILE.json|FILE.csv -o OUT.svg|OUT.png [--lines]

--lines: GPU times over frames instead, a line for each run; of a single run, a line for each pass. Only JSON has those.
A .png is made from the drawing by rsvg-convert, which has to be installed.
"""

import argparse
import csv
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
TOP, WIDTH, BAR, LEGEND_ROW = 30, 520, 22, 16
LETTER = 6.2  # how wide a letter is, about
NOT_DONE = "not done"  # the pass of a run that `bench` did not come to


class Unusable(Exception):
    """The input can't be drawn; it says why."""


def label(run):
    """What sets a run apart from the others."""
    return " ".join(value or "-" for value in run["vary"].values()) or run["backend"]


def labels_name(run):
    """What the labels are of."""
    return ", ".join(run["vary"]) or "backend"


def number(text):
    return float(text) if text else None


def read_csv(text):
    """(runs as read_json() has them, what they are of)"""
    rows = list(csv.reader(text.splitlines()))
    head = rows[0] if rows else []
    if head[:1] != ["run"] or "pass" not in head or "median_ms" not in head:
        raise ValueError
    name_at, median_at = head.index("pass"), head.index("median_ms")
    runs = {}
    for row in rows[1:]:
        if len(row) != len(head):
            raise ValueError
        vary = dict(zip(head[1:name_at], row[1:name_at]))
        run = runs.setdefault(row[0], {"vary": vary, "backend": "", "median": None, "passes": [], "series": None})
        name, ms = row[name_at], number(row[median_at])
        if name == "whole frame (GPU)":
            run["median"] = ms
        elif name not in ("whole frame (CPU)", NOT_DONE):
            run["passes"].append((name, ms))
    # The last column before the pass is the backend, also where that is the same in all runs.
    if name_at > 1 and head[name_at - 1] == "backend" and len({run["vary"]["backend"] for run in runs.values()}) == 1:
        for run in runs.values():
            run["backend"] = run["vary"].pop("backend")
    return list(runs.values()), ""


def read_json(text):
    """([{"vary", "backend", "median", "passes": [(name, ms)], "series"}], what they are of)"""
    document = json.loads(text)
    runs = [
        {
            "vary": run["vary"],
            "backend": run["settings"]["backend"],
            "median": run["gpu_ms"]["median"],
            "passes": [(one["name"], one["median_ms"]) for one in run["passes"]],
            "series": run["series"],
        }
        for run in document["runs"]
    ]
    width, height = document["size"]
    device = document["runs"][0]["device"]["name"] if runs else ""
    return runs, f"{document['scene']}, {width}x{height}, {device}"


def read(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        runs, of = read_json(text) if text.lstrip().startswith("{") else read_csv(text)
        timed = [run for run in runs if run["median"] is not None]
    except (ValueError, KeyError, TypeError, AttributeError, csv.Error):
        raise Unusable("is not what `sublet bench` writes of a scene by --json or --csv") from None
    if not timed:
        raise Unusable("no run was timed by the GPU")
    return timed, of


def steps(most):
    """Round numbers from 0 to a little more than `most`, some five of them."""
    if most <= 0:
        return [0, 1]
    raw = most / 5
    unit = 10 ** math.floor(math.log10(raw))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= raw)
    return [step * i for i in range(math.ceil(most / step) + 1)]


class Drawing:
    def __init__(self):
        self.parts = []

    def add(self, part):
        self.parts.append(part)

    def text(self, x, y, words, anchor="middle", color="#333", bold=False):
        weight = ' font-weight="bold"' if bold else ""
        self.add(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}"{weight}>{html.escape(words)}</text>'
        )

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


def ink(color):
    """Letters that can be read on it."""
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return "#fff" if 0.3 * red + 0.59 * green + 0.11 * blue < 140 else "#222"


def bars(runs, of):
    names = []
    for run in runs:
        names += [name for name, ms in run["passes"] if ms is not None and name not in names]
    color = {name: COLORS[i % len(COLORS)] for i, name in enumerate(names)}
    sums = [sum(ms or 0.0 for _, ms in run["passes"]) for run in runs]
    wholes = [max(run["median"], total) for run, total in zip(runs, sums)]
    scale = steps(max(wholes))
    left = 24 + LETTER * max(len(text) for text in [labels_name(runs[0])] + [label(run) for run in runs])
    out = Drawing()
    bottom = TOP + len(runs) * (BAR + 8)
    out.text(left - 8, TOP - 10, labels_name(runs[0]), "end", bold=True)
    for ms in scale:
        x = left + ms / scale[-1] * WIDTH
        out.add(f'<path d="M{x:.1f} {TOP}V{bottom}" stroke="#ddd"/>')
        out.text(x, bottom + 14, f"{ms:g}")
    for row, (run, whole) in enumerate(zip(runs, wholes)):
        y = TOP + 4 + row * (BAR + 8)
        out.text(left - 8, y + 15, label(run), "end")
        at = 0.0
        parts = [(name, ms, color[name]) for name, ms in run["passes"] if ms]
        # What lies between passes; medians need not add up.
        parts.append(("between passes", whole - sum(ms for _, ms, _ in parts), REST))
        for name, ms, fill in parts:
            x, width = left + at / scale[-1] * WIDTH, ms / scale[-1] * WIDTH
            out.add(
                f'<rect x="{x:.2f}" y="{y}" width="{max(width, 0):.2f}" height="{BAR}" fill="{fill}">'
                f"<title>{html.escape(name)}: {ms:.4g} ms</title></rect>"
            )
            if LETTER * len(name) < width:
                out.text(x + width / 2, y + 15, name, color=ink(fill))
            at += ms
        out.text(left + whole / scale[-1] * WIDTH + 6, y + 15, f"{run['median']:.4g}", "start")
    out.text(left + WIDTH / 2, bottom + 32, "median GPU time of a frame, ms", bold=True)
    if of:
        out.text(left + WIDTH / 2, bottom + 48, of)
    entries = [(name, color[name]) for name in names] + [("between passes", REST)]
    out.text(left + WIDTH + 70, TOP - 10, "pass", "start", bold=True)
    out.legend(left + WIDTH + 70, TOP + 12, entries)
    return out.svg(left + WIDTH + 260, max(bottom + 60, TOP + 20 + len(entries) * LEGEND_ROW))


def series(runs):
    """[(name, [(frame, ms)])], without frames that have no time."""
    if any(run["series"] is None for run in runs):
        raise Unusable("--lines draws single frames, which only JSON has: sublet bench --json FILE")
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


def lines(runs, of):
    found = series(runs)
    if not found:
        raise Unusable("no frame of these runs was timed")
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
    out.text(left, TOP - 14, "GPU time, ms", bold=True)
    out.text(left + WIDTH / 2, TOP + height + 34, "frame", bold=True)
    out.text(left + WIDTH / 2, TOP + height + 50, of)
    out.text(left + WIDTH + 24, TOP - 14, "pass" if len(runs) == 1 else labels_name(runs[0]), "start", bold=True)
    out.legend(left + WIDTH + 24, TOP + 12, [(name, COLORS[i % len(COLORS)]) for i, (name, _) in enumerate(found)])
    return out.svg(left + WIDTH + 220, max(TOP + height + 62, TOP + 20 + len(found) * LEGEND_ROW))


def draw(arguments):
    runs, of = read(arguments.file)
    drawing = lines(runs, of) if arguments.lines else bars(runs, of)
    if arguments.output.endswith(".svg"):
        with open(arguments.output, "w", encoding="utf-8") as file:
            file.write(drawing)
        return
    if shutil.which("rsvg-convert") is None:
        sys.exit("error: a .png needs rsvg-convert (package librsvg2-bin); a .svg needs nothing")
    subprocess.run(["rsvg-convert", "-z", "2", "-o", arguments.output], input=drawing.encode(), check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--lines", action="store_true")
    arguments = parser.parse_args()
    if not arguments.output.endswith((".svg", ".png")):
        parser.error(f"-o {arguments.output}: is neither .svg nor .png")
    try:
        draw(arguments)
    except Unusable as error:
        sys.exit(f"error: {arguments.file}: {error}")
    except OSError as error:
        sys.exit(f"error: {error.filename}: {error.strerror}")
    except UnicodeDecodeError:
        sys.exit(f"error: {arguments.file}: is no text")
    except subprocess.CalledProcessError as error:
        sys.exit(f"error: rsvg-convert could not draw {arguments.output} (exit status {error.returncode})")


main()
