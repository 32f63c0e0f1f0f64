"""Which pages the site has: pages.txt as a tree, and where each file of the repository lies in it."""
import dataclasses
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = pathlib.Path(__file__).with_name("pages.txt")


@dataclasses.dataclass
class Page:
    title: str
    source: str  # a file of the repository, or <name>
    target: str  # where it lies in the site's source


class Mistake(Exception):
    """What a person has to mend, as one line or several."""


def target_of(source):
    if source == "docs/README.md":
        return "index.md"
    if source.startswith("<"):
        return f"generated/{source[1:-1]}.md"
    if source.startswith("docs/"):
        return source[len("docs/"):]
    if source.startswith("samples/"):  # samples/NN_topic/README.md
        return f"samples/{pathlib.PurePosixPath(source).parent.name}.md"
    return source.replace("/", "_").lower()


def page_of(line):
    """The page of a line `title = source`; None where it may be missing, and is."""
    title, _, source = (part.strip() for part in line.partition("="))
    optional = title.startswith("?")
    if not source.startswith("<") and not (ROOT / source).is_file():
        if optional:
            return None
        raise Mistake(f"{TABLE.name}: there is no {source}")
    return Page(title.lstrip("? "), source, target_of(source))


def heading(file):
    line = next((line for line in file.read_text().splitlines() if line.startswith("# ")), "# " + file.stem)
    return line[2:].replace("`", "")


def repository_pages(pattern, known):
    """The pages that the pattern finds and that have no place yet."""
    for file in sorted(ROOT.glob(pattern)):
        source = file.relative_to(ROOT).as_posix()
        if source not in known:
            yield Page(heading(file), source, target_of(source))


def chapters():
    """A list of pages and of pairs (chapter, pages)."""
    result = []
    for line in TABLE.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if "=" not in line:
            result.append((line.strip(), []))
        elif page := page_of(line):
            (result[-1][1] if line.startswith(" ") else result).append(page)
    known = {page.source for page in all_of(result)}
    samples = [Page("All samples", "samples/README.md", "samples/README.md"), *repository_pages("samples/[0-9]*/README.md", known)]
    result.append(("Samples", samples))
    more = list(repository_pages("docs/**/*.md", known))
    return result + ([("More", more)] if more else [])


def all_of(tree):
    for entry in tree:
        yield from [entry] if isinstance(entry, Page) else entry[1]


def navigation(tree):
    """What mkdocs takes for `nav`."""
    return [{entry.title: entry.target} if isinstance(entry, Page) else
            {entry[0]: [{page.title: page.target} for page in entry[1]]} for entry in tree]
