"""Finds the pieces of pieces.cu that a program uses."""
import pathlib
import re

WORD = re.compile(r"\b[A-Za-z_]\w*\b")


def read_pieces():
    found = []
    for text in (pathlib.Path(__file__).parent / "pieces.cu").read_text().split("//== ")[1:]:
        names, _, body = text.partition("\n")
        found.append((set(names.split()), body))
    return found


PIECES = read_pieces()


def pieces_for(text):
    """The text of all pieces that the text uses, those that these use among them, in order."""
    words, used = set(WORD.findall(text)), set()
    growing = True
    while growing:
        growing = False
        for index, (names, body) in enumerate(PIECES):
            if index not in used and names & words:
                used.add(index)
                words |= set(WORD.findall(body))
                growing = True
    return "".join(PIECES[index][1] for index in sorted(used))


def piece(name):
    return next(body for names, body in PIECES if name in names)
