"""The figures of bench/RESULTS.md as bars: plain SVG, which follows the page's colours."""
import html
import math
import pathlib
import re

from pages import ROOT

SECTIONS = [
    ("One core: textbook kernels", "#### Textbook kernels"),
    ("One core: kernels that nobody tuned for", "#### Kernels that nobody tuned for"),
    ("One core: shapes that slow programs have", "#### Shapes that slow programs have"),
    ("Beside PoCL and HIP-CPU, two cores", "### Textbook kernels"),
    ("Cliffs", "### Cliffs"),
]
BAR, THICK = 400, 12
COLORS = ["var(--md-primary-fg-color)", "#c77d0a", "#8a63b8"]


def table_behind(text, heading):
    """The rows of the first table behind a heading, each a list of cells."""
    section = text.partition(f"\n{heading}\n")[2]
    rows = []
    for line in section.splitlines():
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            break
    return rows[:1] + rows[2:]


def ratios(rows):
    """(names of the implementations, [(kernel, their ratios or None)])."""
    head = rows[0]
    columns = [i for i, name in enumerate(head) if name in (": native", "ratio")]
    names = [head[i - 1].partition(",")[0] if head[i] != "ratio" else "with" for i in columns]
    kernels = [(row[0], [float(row[i]) if re.fullmatch(r"[\d.e+]+", row[i]) else None for i in columns])
               for row in rows[1:] if not row[0].startswith("geometric mean")]
    return names, kernels


class Axis:
    """A logarithmic axis of whole powers of ten around all values, behind the labels."""

    def __init__(self, values, labels):
        self.low = math.floor(min(math.log10(min(values)), -0.01))
        self.high = math.ceil(max(math.log10(max(values)), 1))
        self.label = 20 + 6.5 * max(len(label) for label in labels)

    def position(self, ratio):
        return self.label + BAR * (math.log10(ratio) - self.low) / (self.high - self.low)

    def lines(self, height):
        for exponent in range(self.low, self.high + 1):
            x, opacity = self.position(10.0 ** exponent), 0.6 if exponent == 0 else 0.15
            yield (f'<line x1="{x:.1f}" x2="{x:.1f}" y1="20" y2="{height - 16}" style="stroke:currentColor;stroke-opacity:{opacity}"/>'
                   f'<text x="{x:.1f}" y="14" text-anchor="middle" font-size="11">{10.0 ** exponent:g}</text>')


def bar(axis, y, ratio, color):
    start, end = sorted((axis.position(1), axis.position(ratio)))
    return (f'<rect x="{start:.1f}" y="{y:.1f}" width="{max(end - start, 1):.1f}" height="{THICK}" style="fill:{color}"/>'
            f'<text x="{end + 4:.1f}" y="{y + THICK - 2:.1f}" font-size="11">{ratio:g}</text>')


def bars(rows):
    names, kernels = ratios(rows)
    labels = [label if len(label) < 46 else label[:44] + "…" for label in (kernel.replace("`", "") for kernel, _ in kernels)]
    axis = Axis([value for _, values in kernels for value in values if value], labels)
    row_height = THICK * len(names) + 8
    height = row_height * len(kernels) + 40
    parts = list(axis.lines(height))
    for i, (label, (_, values)) in enumerate(zip(labels, kernels)):
        top = 24 + i * row_height
        parts.append(f'<text x="{axis.label - 8:.1f}" y="{top + THICK * len(names) / 2 + 4:.1f}" text-anchor="end" '
                     f'font-size="12">{html.escape(label)}</text>')
        parts += [bar(axis, top + THICK * k, value, COLORS[k]) for k, value in enumerate(values) if value]
    width = axis.label + BAR + 50
    return (f'<svg viewBox="0 0 {width:.0f} {height}" role="img" style="fill:currentColor;max-width:{width:.0f}px;width:100%" '
            f'font-family="inherit">{"".join(parts)}</svg>')


def legend(names):
    if len(names) == 1:
        return ""
    return ", ".join(f'<span style="color:{color}">■</span> {name}' for name, color in zip(names, COLORS)) + "\n\n"


def page():
    text = (ROOT / "bench/RESULTS.md").read_text()
    result = ("# Results in pictures\n\nDrawn from the tables of [all figures](../bench_results.md), which say when, where and how. A bar is the "
              "ratio of two times, on a logarithmic axis: to plain C++ that a good engineer would write for the processor, or, of "
              "cliffs, with to without. Left of 1 is faster.\n")
    for title, heading in SECTIONS:
        rows = table_behind(text, heading)
        if len(rows) > 1:
            result += f"\n## {title}\n\n{legend(ratios(rows)[0])}<div markdown=\"0\">{bars(rows)}</div>\n"
    return result


def write(folder):
    (pathlib.Path(folder) / "plots.md").write_text(page())
