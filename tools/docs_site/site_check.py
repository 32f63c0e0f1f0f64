"""Looks at a site as a reader's browser would: every link and anchor is there, and nothing is loaded from elsewhere."""
import html.parser
import pathlib
import re
import urllib.parse

from pages import Mistake

LOADED = {("img", "src"), ("script", "src"), ("iframe", "src"), ("source", "src"), ("link", "href")}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loaded = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name"):
                self.ids.add(value)
            if (tag, name) in LOADED:
                self.loaded.append(value)
            elif (tag, name) == ("a", "href"):
                self.links.append(value)


def problems_of(name, page, pages, site):
    for link in page.loaded:
        if re.match(r"(https?:)?//", link):
            yield f"{name} loads {link}"
    for link in page.links + page.loaded:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or parts.netloc or not (parts.path or parts.fragment):
            continue
        path = urllib.parse.unquote(parts.path)
        target = (site / name).parent / path if path else site / name
        if not target.exists():
            yield f"{name}: {link} is not there"
        elif parts.fragment and target.suffix == ".html":
            other = pages[target.resolve().relative_to(site).as_posix()]
            if urllib.parse.unquote(parts.fragment) not in other.ids | {"__drawer", "__search"}:
                yield f"{name}: {link} has no such place"


def check(site):
    """One sentence about a site that is fine; Mistake otherwise."""
    site = pathlib.Path(site).resolve()
    pages = {file.relative_to(site).as_posix(): Page(file.read_text()) for file in sorted(site.rglob("*.html"))}
    found = [line for name, page in pages.items() if name != "404.html" for line in problems_of(name, page, pages, site)]
    for sheet in site.rglob("*.css"):
        found += [f"{sheet.relative_to(site)} loads {url}" for url in
                  re.findall(r"(?:@import\s*['\"]?|url\(\s*['\"]?)((?:https?:)?//[^'\")]+)", sheet.read_text())]
    if found:
        raise Mistake("\n".join(found))
    count = sum(len(page.links) + len(page.loaded) for page in pages.values())
    return f"{len(pages)} pages, {count} links, all of them lead somewhere; nothing is loaded from elsewhere"
