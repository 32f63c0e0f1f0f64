"""What hwcc, hostwarp and the runtime can be told, read from the tables that the programs themselves are made from: for
manual pages, completions and the site."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
STRING = r'"((?:[^"\\]|\\.)*)"'


def rows(path, macro):
    """The leading strings of each row `macro(...)` of a table, words without quotes among them as they are."""
    for line in (ROOT / path).read_text().splitlines():
        if not line.startswith(macro + "("):
            continue
        fields, rest = [], line[len(macro) + 1:]
        while (match := re.match(rf'(?:{STRING}|([\w +]+))(?:, |\)$)', rest)) is not None:
            fields.append(match.group(1).replace('\\"', '"') if match.group(1) is not None else match.group(2))
            rest = rest[match.end():]
        yield fields


def hwcc_options():
    """(section, long name, short name, kind, allowed values, help or None), in the order of the table."""
    helps = dict(fields[:2] for fields in rows("compiler/driver/option_help.def", "OPTION_HELP"))
    section = ""
    for line in (ROOT / "compiler/driver/options.def").read_text().splitlines():
        if line.startswith("// --- "):
            section = line[len("// --- "):]
        match = re.match(rf'(OPTION|JOINED|IGNORED)\({STRING}, {STRING}, ([\w +]+), {STRING}', line)
        if match:
            macro, long, short, kind, allowed = match.groups()
            yield section, long, short, kind, allowed, None if macro == "IGNORED" else helps.get(long, "")


PLACEHOLDERS = {"Flag": "", "Boolean": "true|false", "Number": "number", "List": "value,...", "Words": "options,..."}


def hwcc_value(kind, allowed):
    """What stands for the value of an option of hwcc; empty: it takes none."""
    return allowed.replace(",", " | ") or PLACEHOLDERS.get(kind, "value")


def commands():
    """(name, arguments, help) of the program hostwarp."""
    return [(name, arguments, text)
            for name, _, arguments, text in rows("tools/hostwarp/commands.def", "COMMAND")]


def command_options(command):
    """(spellings, values, help): spellings are pairs of an option and what stands for its value, or ""."""
    for owner, spellings, values, text in rows("tools/hostwarp/commands.def", "COMMAND_OPTION"):
        if owner == command:
            pairs = [spelling.partition(" ")[::2] for spelling in spellings.split(", ")]
            yield pairs, [value for value in values.split(",") if value], text


VARIABLES_OF_HWCC = [
    ("HOSTWARP_CACHE", "0: keep no headers and no builds from call to call"),
    ("XDG_CACHE_HOME", "where they are kept; ~/.cache unless given"),
    ("HOSTWARP_CCCL", "the folder of Thrust, CUB and libcu++; none: do not look for it"),
    ("NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS", "options in front of those of the command line, and behind them"),
    ("TMPDIR", "where intermediate files go"),
]


def runtime_variables():
    """(variable, default, help) of the runtime's options."""
    return [("HOSTWARP_" + name, default, text)
            for name, _, default, text in rows("emu_runtime/support/options.def", "HOSTWARP_OPTION")]
