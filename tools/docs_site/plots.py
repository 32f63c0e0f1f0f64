"""The figures of bench/RESULTS.md as bars: plain SVG, which follows the page's colours."""
import html
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
LABEL, BAR, ROW = 250, 400, 22
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


def position(ratio):
    """Where a ratio lies on the logarithmic axis from 0.1 to 10,000, in pixels."""
    import math
    return LABEL + BAR * (math.log10(min(max(ratio, 0.1), 10000)) + 1) / 5


def bar(y, height, ratio, color):
    start, end = sorted((position(1), position(ratio)))
    return (f'<rect x="{start:.1f}" y="{y:.1f}" width="{max(end - start, 1):.1f}" height="{height:.1f}" style="fill:{color}"/>'
            f'<text x="{end + 4:.1f}" y="{y + height - 1:.1f}" font-size="10">{ratio:g}</text>')


def bars(rows):
    names, kernels = ratios(rows)
    row_height = ROW if len(names) == 1 else 13 * len(names) + 6
    height = row_height * len(kernels) + 40
    parts = []
    for exponent in range(-1, 5):
        x = position(10.0 ** exponent)
        parts.append(f'<line x1="{x}" x2="{x}" y1="20" y2="{height - 16}" style="stroke:currentColor;stroke-opacity:'
                     f'{0.6 if exponent == 0 else 0.15}"/><text x="{x}" y="14" text-anchor="middle" font-size="10">{10.0 ** exponent:g}</text>')
    for i, (kernel, values) in enumerate(kernels):
        top = 24 + i * row_height
        label = kernel.replace("`", "")
        label = label if len(label) < 44 else label[:42] + "…"
        parts.append(f'<text x="{LABEL - 8}" y="{top + row_height / 2 + 2}" text-anchor="end" font-size="11">{html.escape(label)}</text>')
        for k, value in enumerate(values):
            if value is not None:
                parts.append(bar(top + 13 * k, 11, value, COLORS[k]))
    body = "".join(parts)
    return (f'<svg class="bars" viewBox="0 0 {LABEL + BAR + 50} {height}" role="img" style="fill:currentColor;max-width:46rem;width:100%" '
            f'font-family="inherit">{body}</svg>')


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
