"""Lines over two logarithmic axes, as an SVG."""

import math

WIDTH, HEIGHT, LEFT, TOP, LEGEND = 430, 260, 52, 26, 150


def plot(lines, colors, ticks, caption):
    """lines: {name: {x: y}}; colors: {name: color}; ticks: {x: label} under the plot; caption: below those."""
    xs = sorted({x for line in lines.values() for x in line})
    ys = [y for line in lines.values() for y in line.values()]
    low, high = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))
    out = []

    def text(x, y, words, anchor="middle"):
        out.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#333">{words}</text>')

    def x_of(value):
        span = math.log10(xs[-1]) - math.log10(xs[0])
        return LEFT + 14 + (math.log10(value) - math.log10(xs[0])) / span * (WIDTH - 28)

    def y_of(value):
        return TOP + HEIGHT - (math.log10(value) - low) / (high - low) * HEIGHT

    for power in range(low, high + 1):
        y = y_of(10.0**power)
        out.append(f'<path d="M{LEFT} {y:.1f}h{WIDTH}" stroke="#ddd"/>')
        text(LEFT - 6, y + 4, f"{10.0**power:g}", "end")
    for x, label in ticks.items():
        text(x_of(x), TOP + HEIGHT + 15, label)
    for i, (name, line) in enumerate(lines.items()):
        points = [(x_of(x), y_of(y)) for x, y in sorted(line.items())]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        out.append(f'<path d="M{path}" fill="none" stroke="{colors[name]}" stroke-width="1.8"/>')
        out.extend(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colors[name]}"/>' for x, y in points)
        y = TOP + 14 + i * 20
        out.append(f'<path d="M{LEFT + WIDTH + 12} {y}h14" stroke="{colors[name]}" stroke-width="3"/>')
        text(LEFT + WIDTH + 32, y + 4, name, "start")
    text(LEFT + WIDTH / 2, TOP + HEIGHT + 34, caption)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + LEGEND} {TOP + HEIGHT + 46}" '
        'font-family="sans-serif" font-size="11">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(out)
        + "\n</svg>\n"
    )
