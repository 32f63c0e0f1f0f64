"""A program is a tree of nodes; a smaller program is the same tree with some of them left out."""


class Node:
    """A piece of text made of strings and nodes. Where it is left out, `instead` stands: text, or a node of its own
    parts. Every choice of nodes that are left out gives a valid, race-free program: what must stay together is one
    node."""

    def __init__(self, *parts, instead=""):
        self.parts = parts
        self.instead = instead
        self.number = None

    def render(self, dropped):
        if self.number in dropped:
            return text_of(self.instead, dropped)
        return "".join(text_of(part, dropped) for part in self.parts)

    def children(self):
        return [part for part in self.parts if isinstance(part, Node)]

    def size(self):
        return 1 + sum(child.size() for child in self.children())


def text_of(part, dropped=frozenset()):
    return part.render(dropped) if isinstance(part, Node) else str(part)


def number(roots):
    """Numbers all nodes breadth first, so that low numbers are large pieces; returns them in that order."""
    level, found = list(roots), []
    while level:
        below = []
        for node in level:
            if node.number is None:
                node.number = len(found)
                found.append(node)
                below += node.children()
        level = below
    return found


def indented(text):
    """The text with two spaces for each brace that is open."""
    depth, lines = 0, []
    for line in text.split("\n"):
        line = line.strip()
        closing = len(line) - len(line.lstrip("}"))
        indent = 0 if line.startswith("#") else max(depth - closing, 0)
        lines.append("  " * indent + line if line else "")
        depth += line.count("{") - line.count("}")
    return "\n".join(lines)
