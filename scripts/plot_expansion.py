#!/usr/bin/env python3
"""Draws what `sublet bench --micro expansion --json FILE` measured, and prints it as the tables of docs/BENCHMARKS.md.

    scripts/plot_expansion.py OUT.svg FILE...

Of several runs of one case the fastest repetition counts: what else a machine does only adds time.
"""

import json
import math
import sys

COLORS = {
    "max-n": "#b15928",
    "per-item": "#e31a1c",
    "linear": "#888888",
    "prefix-sum": "#1f78b4",
    "scan": "#6a3d9a",
    "buckets": "#ff7f00",
    "task-list": "#33a02c",
    "generated": "#a6cee3",
}
WIDTH, HEIGHT, LEFT, TOP, GAP = 250, 190, 48, 34, 46


def read(paths):
    """{distribution: {sources: {"items": N, strategy: run with the fastest "ms"}}}, in the order of the files."""
    cases, device = {}, ""
    for path in paths:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        device = document["device"]["name"]
        for run in document["runs"]:
            case = cases.setdefault(run["distribution"], {}).setdefault(run["sources"], {"items": run["items"]})
            known = case.setdefault(run["strategy"], {"ms": math.inf, "bytes": 0})
            if run["unavailable"] is None:
                known["ms"] = min(known["ms"], run["ms"]["min"])
                known["bytes"] = run["bytes"]
    return cases, device


def byte_text(count):
    for unit in ("B", "KiB", "MiB"):
        if count < 1024 or unit == "MiB":
            return f"{count:.0f} {unit}" if unit == "B" or count >= 100 else f"{count:.1f} {unit}"
        count /= 1024


def tables(cases):
    for distribution, sizes in cases.items():
        heads = [f"{sources:,} / {case['items']:,}" for sources, case in sizes.items()]
        print(f"\n| {distribution} | " + " | ".join(heads) + " |\n|" + "---|" * (len(heads) + 1))
        for strategy in COLORS:
            cells = []
            for case in sizes.values():
                run = case[strategy]
                absent = math.isinf(run["ms"])
                cells.append("–" if absent else f"{run['ms']:.3g}, {byte_text(run['bytes'])}")
            print(f"| {strategy} | " + " | ".join(cells) + " |")


def plot(cases, device):
    times = [case[s]["ms"] for sizes in cases.values() for case in sizes.values() for s in COLORS]
    times = [ms for ms in times if not math.isinf(ms)]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    out = []

    def text(x, y, words, anchor="middle"):
        out.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#333">{words}</text>')

    for panel, (distribution, sizes) in enumerate(cases.items()):
        left, top = LEFT + panel % 2 * (WIDTH + GAP), TOP + panel // 2 * (HEIGHT + GAP)

        def x_of(sources):
            return left + 12 + (math.log10(sources) - 3) / 3 * (WIDTH - 24)

        def y_of(ms):
            return top + HEIGHT - (math.log10(ms) - low) / (high - low) * HEIGHT

        text(left + WIDTH / 2, top - 6, distribution)
        for power in range(low, high + 1):
            y = y_of(10.0**power)
            out.append(f'<path d="M{left} {y:.1f}h{WIDTH}" stroke="#ddd"/>')
            text(left - 5, y + 4, f"{10.0**power:g}", "end")
        for power in (3, 4, 5, 6):
            text(x_of(10**power), top + HEIGHT + 14, f"{10**power:,}")
        for strategy, color in COLORS.items():
            points = [(x_of(n), y_of(c[strategy]["ms"])) for n, c in sizes.items() if not math.isinf(c[strategy]["ms"])]
            if not points:
                continue
            line = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
            out.append(f'<path d="M{line}" fill="none" stroke="{color}" stroke-width="1.8"/>')
            out.extend(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{color}"/>' for x, y in points)
    rows = (len(cases) + 1) // 2
    width, bottom = LEFT + 2 * WIDTH + GAP + 16, TOP + rows * (HEIGHT + GAP)
    for i, (strategy, color) in enumerate(COLORS.items()):
        out.append(f'<path d="M{LEFT + i * 76} {bottom}h12" stroke="{color}" stroke-width="3"/>')
        text(LEFT + 16 + i * 76, bottom + 4, strategy, "start")
    text(width / 2, bottom + 22, f"ms by number of sources, both logarithmic; {device}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom + 32}" '
        'font-family="sans-serif" font-size="11">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(out)
        + "\n</svg>\n"
    )


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__.strip())
    cases, device = read(arguments[1:])
    tables(cases)
    with open(arguments[0], "w", encoding="utf-8") as file:
        file.write(plot(cases, device))


main(sys.argv[1:])
