"""Markdown tables of what was measured."""
import math
import os
import pathlib
import statistics

import forms


def machine():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    models = [line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("model name")]
    vectors = next((name for name in ("avx512f", "avx2", "avx") if f" {name} " in text), "no AVX")
    return f"{os.cpu_count()} cores of {models[0] if models else 'an unknown processor'} ({vectors})"


def pair(figures):
    """The best and the median time, and the same as text."""
    best, median = min(figures.best), statistics.median(figures.median)
    return best, median, f"{best:.3g} / {median:.3g}"


def native_of(row):
    """The faster of the native forms."""
    found = [pair(row[key]) + (key,) for key in forms.NATIVE if key in row]
    return min(found) if found else None


def ratio(value):
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def comparison(figures, shown):
    """Rows of kernels, columns of forms, each with its ratio to the faster native form."""
    lines = ["| kernel | native, ms | by | " + " | ".join(f"{form.title}, ms | : native" for form in shown) + " |",
             "|---|---|---|" + "---|---|" * len(shown)]
    logs = {form.key: [] for form in shown}
    for case, row in figures.items():
        native = native_of(row)
        if native is None:
            continue
        cells = [case, native[2], native[3]]
        for form in shown:
            if form.key not in row:
                cells += ["-", "-"]
                continue
            best, median, text = pair(row[form.key])
            logs[form.key].append((math.log(best / native[0]), math.log(median / native[1])))
            cells += [text, ratio(best / native[0])]
        lines.append("| " + " | ".join(cells) + " |")
    means = []
    for form in shown:
        count = len(logs[form.key])
        mean = [math.exp(statistics.mean(each)) for each in zip(*logs[form.key])]
        means += [f"medians: {ratio(mean[1])}", f"**{ratio(mean[0])}** of {count}"] if count else ["-", "-"]
    lines.append("| geometric mean of the ratios | | | " + " | ".join(means) + " |")
    return "\n".join(lines)


def cliffs(titles, figures):
    lines = ["| with | without, ms | with, ms | ratio |", "|---|---|---|---|"]
    for name, title in titles.items():
        row = figures.get(name, {})
        if "without" not in row or "with" not in row:
            lines.append(f"| {title} | - | - | - |")
            continue
        without, with_it = pair(row["without"]), pair(row["with"])
        lines.append(f"| {title} | {without[2]} | {with_it[2]} | {ratio(with_it[0] / without[0])} |")
    return "\n".join(lines)
