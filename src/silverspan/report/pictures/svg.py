"""What every picture shares: safe text, its width, the palette, and how a picture becomes a file.

Pictures name classes and no colours, so one style sheet serves the page and each file, light and
dark. The colours of labels are Paul Tol's "light" scheme, those of shares Okabe and Ito's: both
can be told apart by the colour-blind; and no colour stands without words.
"""

import html
import unicodedata
from importlib import resources

#: How many labels have a colour of their own; the others repeat them with a dashed edge.
COLOURS = 9

#: The style sheet of all pictures, and of the labels on pages beside them.
STYLE = (resources.files(__package__) / "style.css").read_text(encoding="utf-8").strip()

_NARROW = frozenset("iljtfrI.,:;'|!()[]-/ ")
_WIDE = frozenset("mwMW@%—…")
_SHOWN = frozenset("\u200c\u200d")  # Joiners are part of how Persian and Hindi are spelled.


def visible(text: str) -> str:
    r"""Return the text with characters nobody sees, or that turn others around, spelled out.

    >>> visible("a\u202eb\tc")
    'a⟨U+202E⟩b⟨U+0009⟩c'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        f"⟨U+{ord(c):04X}⟩"
        if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and c not in _SHOWN
        else c
        for c in text
    )


def escape(text: str) -> str:
    """Return the text as XML that shows it, whatever it holds.

    >>> escape("<b>")
    '&lt;b&gt;'
    """
    return html.escape(visible(text))


def width_of(text: str, size: float) -> float:
    """Return about how wide a text is in a common sans-serif type of a size.

    >>> width_of("WWW", 10) > width_of("iii", 10)
    True
    """
    units = 0.0
    for c in text:
        if c in _NARROW:
            units += 0.34
        elif c in _WIDE or unicodedata.east_asian_width(c) in "WF":
            units += 1.0
        elif not unicodedata.combining(c):
            units += 0.7 if c.isupper() else 0.58
    return units * size


def shortened(text: str, longest: int) -> str:
    """Return the text, cut where it is longer than some characters.

    >>> shortened("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= longest else text[: longest - 1] + "…"


def colour_class(label: str, labels: tuple[str, ...]) -> str:
    """Return the classes that colour a label; one that is not among them is grey.

    >>> colour_class("LOC", ("PER", "LOC"))
    'p-l1'
    """
    if label not in labels:
        return "p-l7"
    number = labels.index(label)
    return f"p-l{number % COLOURS}" + (" p-again" if number >= COLOURS else "")


def picture(width: float, height: float, title: str, content: str) -> str:
    """Return the drawing as an ``svg`` element with a title that is read aloud."""
    name = escape(title)
    return (
        f'<svg class="p" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" aria-label="{name}">'
        f"<title>{name}</title>{content}</svg>"
    )


def write(x: float, y: float, text: str, *, size: float = 12, more: str = "") -> str:
    """Return a line of text at a place; ``more`` are further attributes."""
    attributes = f'x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" {more}'.rstrip()
    return f"<text {attributes}>{escape(text)}</text>"


def standalone(svg: str) -> str:
    """Return a picture as the content of a file: it brings its own style and background.

    >>> standalone(picture(10, 10, "nothing", "")).startswith("<?xml")
    True
    """
    head, body = svg.split(">", 1)
    paper = '<rect class="p-paper" width="100%" height="100%"/>'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}><style>{STYLE}</style>{paper}{body}\n'
