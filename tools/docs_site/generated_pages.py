"""The pages that are made of tables: options, commands, variables, error numbers."""
import pathlib
import re
import sys

from pages import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import option_tables  # noqa: E402


def cell(text):
    """Text as a cell of a Markdown table."""
    return re.sub(r"(<[^>]*>)", r"`\1`", text).replace("|", "\\|").replace("*", "\\*").replace("_", "\\_")


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def code(text):
    return "`" + text.replace("|", "\\|") + "`" if text else ""


def hwcc_term(long, short, kind, allowed):
    value = option_tables.hwcc_value(kind, allowed)
    return f"{code('--' + long)}, {code('-' + (short or long))} {code(value)}".strip()


def hwcc_options():
    text = "# Options of hwcc\n\nWritten from the tables that `hwcc --help` and `man hwcc` are made of.\n"
    rows = list(option_tables.hwcc_options())
    for section in dict.fromkeys(row[0] for row in rows):
        of_section = [row for row in rows if row[0] == section and row[5] is not None]
        if of_section:
            text += f"\n## {section[0].upper() + section[1:]}\n\n"
            text += table(["option", "what it does"], [[hwcc_term(*row[1:5]), cell(row[5])] for row in of_section])
    ignored = ", ".join(code("--" + row[1]) for row in rows if row[5] is None)
    return f"{text}\n## Accepted, without effect\n\n{ignored}\n\n## Environment\n\n" + table(
        ["variable", "meaning"], [[code(name), cell(words)] for name, words in option_tables.VARIABLES_OF_HWCC])


def commands():
    text = "# Commands of hostwarp\n\nWritten from the table that `hostwarp help` and `man hostwarp` are made of.\n\n"
    text += table(["command", "what it does"], [[code(f"hostwarp {name}"), cell(words)]
                                               for name, _, words in option_tables.commands()])
    for name, arguments, words in option_tables.commands():
        options = list(option_tables.command_options(name))
        if options:
            text += f"\n## hostwarp {name}\n\n{code(f'hostwarp {name} {arguments}'.strip())}: {cell(words)}.\n\n"
            text += table(["option", "what it does"], [
                [", ".join(code(f"{option} {value}".strip()) for option, value in pairs), cell(words)]
                for pairs, _, words in options])
    return text


def variables():
    return ("# Environment variables\n\nWhat programs take that hwcc has compiled. `hostwarp run` has an option for most; `hostwarp "
            "info` shows what is in effect.\n\n" +
            table(["variable", "default", "meaning"], [[code(name), code(default), cell(words)]
                                                       for name, default, words in option_tables.runtime_variables()]) +
            "\n## hwcc's\n\n" + table(["variable", "meaning"], [[code(name), cell(words)]
                                                               for name, words in option_tables.VARIABLES_OF_HWCC]))


def errors():
    header = (ROOT / "include/hostwarp/runtime/errors.h").read_text()
    numbers = dict(re.findall(r"^ +(cudaError\w+|cudaSuccess) = (\w+)", header, re.M))
    rows = [[str(int(numbers[name], 0)), code(name), cell(words)]
            for name, words in option_tables.rows("emu_runtime/support/errors.def", "HOSTWARP_ERROR")]
    return ("# Error numbers\n\nWhat `cudaGetErrorName()` and `cudaGetErrorString()` say of each. Which of them a kernel's "
            "mistake gives is in [Diagnostics](../diagnostics.md).\n\n" + table(["number", "name", "text"], rows))


def counts():
    """How much of CUDA there is, as the tables of the two interfaces and of the devices count it."""
    supported = (ROOT / "docs/support.md").read_text()
    (runtime, runtime_works), (driver, driver_works) = re.findall(
        r"Of the (\d+) functions of the .*?(\d+)\s+work", supported.replace("\n", " "))
    options = list(option_tables.hwcc_options())
    devices = len(re.findall(r"^HW_GPU\(", (ROOT / "device_model/gpus.def").read_text(), re.M))
    accepted = sum(1 for option in options if option[5] is None)
    return table(["counted", "there", "of"], [
        ["functions of the runtime API", runtime_works, runtime], ["functions of the driver API", driver_works, driver],
        ["options of nvcc 13.0 with an effect, and accepted without one", f"{len(options) - accepted} and {accepted}", str(len(options))],
        ["models of GPUs", str(devices), ""]]) + "\n"


TABLES = {"counts": counts}
PAGES = {"hwcc_options": hwcc_options, "commands": commands, "variables": variables, "errors": errors}


def write(folder):
    for name, text in PAGES.items():
        path = pathlib.Path(folder) / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text())
