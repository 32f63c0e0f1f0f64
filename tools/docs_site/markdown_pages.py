"""Pages of the repository as pages of the site: comments that concern only one of the two, and links from one to the other."""
import os.path
import pathlib
import re

import generated_pages
from pages import ROOT, Mistake

FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
# A link, or a span of code, in which there are none.
LINK = re.compile(r"(?P<span>(?P<ticks>`+)[^`].*?(?<!`)(?P=ticks)(?!`))|"
                  r"(?<![!\\])\[(?P<words>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<link>[^()\s]+)\)", re.S)
COMMENT = re.compile(r"<!--(.*?)-->\n?", re.S)
TITLE = re.compile(r"^(#{1,6}) +(.*?) *#*$")


def split_code(text):
    """Pairs (is code, text): fenced and indented blocks, and what lies between."""
    parts, fence = [], None
    blank = True
    for line in text.splitlines(keepends=True):
        match = FENCE.match(line)
        code = fence is not None or match is not None or (line.startswith("    ") and (blank or (parts and parts[-1][0])))
        if fence is None and match:
            fence = match.group(1)
        elif fence is not None and match and match.group(1).startswith(fence) and line.strip() == match.group(1):
            fence = None
        blank = not line.strip()
        if parts and parts[-1][0] == code:
            parts[-1][1] += line
        else:
            parts.append([code, line])
    return parts


def change_links(text, change):
    """The text with change(words, link) in the place of each link that is not in code."""
    def replaced(match):
        return match.group(0) if match.group("span") else change(match.group("words"), match.group("link"))
    return "".join(part if code else LINK.sub(replaced, part) for code, part in split_code(text))


def slug(title):
    """The anchor of a heading, as GitHub makes it and as mkdocs.yml has the site make it."""
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "").replace("*", "")
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def anchors(text):
    found = {}
    for code, part in split_code(text):
        for line in [] if code else part.splitlines():
            if match := TITLE.match(line):
                name = slug(match.group(2))
                found[name] = found.get(name, -1) + 1
    return {name if i == 0 else f"{name}-{i}" for name, count in found.items() for i in range(count + 1)}


def without_comments(text):
    return "".join(part if code else COMMENT.sub("", part) for code, part in split_code(text))


def for_site(text):
    """`<!-- site: text -->` becomes its text, `<!-- site table: name -->` that of a generated table; other comments go."""
    def kept(match):
        word, _, rest = (part.strip() for part in match.group(1).partition(":"))
        if word == "site table":
            return generated_pages.TABLES[rest]()
        return rest + "\n" if word == "site" else ""
    return "".join(part if code else COMMENT.sub(kept, part) for code, part in split_code(text))


def resolve(source, link):
    """The path from the repository's root that a relative link of a page means."""
    return os.path.normpath(pathlib.PurePosixPath(source).parent / link)


def complain_about(source, link):
    """What is wrong with a relative link as it stands in the repository; None: nothing."""
    path, _, anchor = link.partition("#")
    target = ROOT / (resolve(source, path) if path else source)
    if not target.exists():
        return f"{source}: there is no {link}"
    if anchor and target.suffix == ".md" and anchor not in anchors(target.read_text()):
        return f"{source}: {link}: there is no such heading"
    return None


def is_elsewhere(link):
    return re.match(r"[a-z]+:", link) is not None


def links(text):
    found = []
    change_links(without_comments(text), lambda words, link: found.append(link) or "")
    return found


def mistakes(source):
    """The relative links of a page that lead nowhere."""
    wrong = (complain_about(source, link) for link in links((ROOT / source).read_text()) if not is_elsewhere(link))
    return [line for line in wrong if line]


def with_links_of_site(text, source, target, targets):
    """Links to pages as the site has them; those to other files of the repository become their text."""
    def changed(words, link):
        path, hash_, anchor = link.partition("#")
        if is_elsewhere(link) or not path:
            return f"[{words}]({link})"
        to = resolve(source, path)
        page = targets.get(to) or targets.get(f"{to}/README.md")
        if page is None:
            return words
        return f"[{words}]({os.path.relpath(page, pathlib.PurePosixPath(target).parent)}{hash_}{anchor})"
    parts = re.split(r"(<!--.*?-->)", text, flags=re.S)  # what comments hold has the site's links already
    return "".join(part if part.startswith("<!--") else change_links(part, changed) for part in parts)


def check(sources):
    wrong = [line for source in sources for line in mistakes(source)]
    if wrong:
        raise Mistake("\n".join(wrong))
