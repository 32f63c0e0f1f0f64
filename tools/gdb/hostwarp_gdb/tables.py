"""Tables, and threads in a row as one line of them."""


def triple(dim):
    return "(" + ",".join(map(str, dim)) + ")"


def index_of(linear, dim):
    """The index, x y z, of the linear-th element of a box."""
    return linear % dim[0], linear // dim[0] % dim[1], linear // dim[0] // dim[1]


def linear_of(index, dim):
    return index[0] + dim[0] * (index[1] + dim[1] * index[2])


def runs(items, key, follows):
    """The items as [first, last, count], where each follows the one before and has the same key."""
    found = []
    for item in items:
        if found and key(found[-1][1]) == key(item) and follows(found[-1][1], item):
            found[-1][1] = item
            found[-1][2] += 1
        else:
            found.append([item, item, 1])
    return found


def lines(headers, rows, left=()):
    """The table's lines. A row is (is it the focus?, cells), or a text that stands by itself. Columns are aligned to
    the right, but for those named in `left`."""
    cells = [[str(cell) for cell in row[1]] for row in rows if not isinstance(row, str)]
    widths = [max(map(len, column)) for column in zip(headers, *cells)]

    def line(mark, texts):
        parts = [text.ljust(width) if header in left else text.rjust(width)
                 for text, width, header in zip(texts, widths, headers)]
        return f"{mark} {' '.join(parts)}".rstrip()

    result = [line(" ", headers)]
    following = iter(cells)
    for row in rows:
        result.append(row if isinstance(row, str) else line("*" if row[0] else " ", next(following)))
    return result
