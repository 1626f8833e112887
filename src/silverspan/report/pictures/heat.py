"""Heat maps: agreement and disagreement of functions, as in the paper's figure, and confusion."""

from collections.abc import Sequence
from typing import Literal

from jaxtyping import Float
from numpy import ndarray

from silverspan.report.pictures.svg import escape, picture, shortened, width_of, write

#: What the colour means: agreement and good things, disagreement and bad ones, or plain counts.
Tone = Literal["agree", "differ"]

_LONGEST = 34
_SIZE = 11.0


def heat_map(
    values: Float[ndarray, "rows columns"],
    rows: Sequence[str],
    columns: Sequence[str] | None = None,
    *,
    title: str,
    tone: Tone = "agree",
    cell: float = 14.0,
    numbers: bool = False,
    full: float = 1.0,
) -> str:
    r"""Return a table of shares as cells from pale to full colour, each with its value in words.

    ``full`` is the value of the darkest colour. With ``numbers`` the cells show their value, in
    percent. Cells of value 0 stay empty. The place of every cell is named by its row and column.

    >>> import numpy as np
    >>> svg = heat_map(np.array([[1.0, 0.5], [0.5, 1.0]]), ["a", "b"], title="agreement")
    >>> svg.count("<rect class=\"p-a\"")
    4
    """
    names = rows if columns is None else columns
    side = max((width_of(shortened(name, _LONGEST), _SIZE) for name in rows), default=0) + 10
    top = max((width_of(shortened(name, _LONGEST), _SIZE) for name in names), default=0) + 12
    # Names of columns lean, so the last of them needs room to the right.
    lean = 0.5
    height = top * 0.87 + 6
    wide, high = side + cell * len(names) + top * lean + 8, height + cell * len(rows) + 4
    parts = [
        f'<rect class="p-cell" x="{side:.1f}" y="{height:.1f}" '
        f'width="{cell * len(names):.1f}" height="{cell * len(rows):.1f}"/>'
    ]
    for i, name in enumerate(rows):
        parts.append(
            write(
                side - 6,
                height + (i + 0.5) * cell + _SIZE * 0.35,
                shortened(name, _LONGEST),
                size=_SIZE,
                more='text-anchor="end"',
            )
        )
    for j, name in enumerate(names):
        x, y = side + (j + 0.5) * cell + 2, height - 5
        parts.append(
            write(
                x,
                y,
                shortened(name, _LONGEST),
                size=_SIZE,
                more=f'transform="rotate(-60 {x:.1f} {y:.1f})"',
            )
        )
    kind = "p-a" if tone == "agree" else "p-b"
    for i, row in enumerate(values.tolist()):
        for j, value in enumerate(row):
            shown = f"{100 * value:.0f}"
            if value <= 0 or (shown == "0" and numbers):
                continue
            x, y = side + j * cell, height + i * cell
            strength = min(value / full, 1.0) if full > 0 else 0.0
            parts.append(
                f'<rect class="{kind}" x="{x + 0.5:.1f}" y="{y + 0.5:.1f}" width="{cell - 1:.1f}" '
                f'height="{cell - 1:.1f}" fill-opacity="{0.06 + 0.94 * strength:.2f}">'
                f"<title>{escape(rows[i])} / {escape(names[j])}: {100 * value:.1f} %</title></rect>"
            )
            if numbers:
                # What can be read on a colour of this strength differs between light and dark.
                deep = " p-deep" if strength > 0.85 else " p-half" if strength > 0.5 else ""
                more = f'text-anchor="middle" class="p-number{deep}"'
                parts.append(
                    write(x + cell / 2, y + cell / 2 + 3.5, shown, size=_SIZE - 1, more=more)
                )
    return picture(wide, high, title, "".join(parts))
