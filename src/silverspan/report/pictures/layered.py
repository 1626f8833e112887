"""A text with layers stacked under it: what each function said, the posterior, gold."""

from collections.abc import Sequence
from dataclasses import dataclass

from silverspan.report.pictures.svg import (
    colour_class,
    escape,
    picture,
    shortened,
    visible,
    width_of,
    write,
)

_SIZE, _SMALL = 14.0, 10.5
_ROW, _GAP = 17.0, 5.0
_LONGEST_NAME = 30


@dataclass(frozen=True, kw_only=True, slots=True)
class Layer:
    """What one source says of a text: spans of tokens with label and probability."""

    name: str
    kind: str  # "gold", "silver" or "function"
    spans: tuple[tuple[int, int, str, float], ...]


def lines_of(tokens: Sequence[str], width: int = 80) -> list[tuple[int, int]]:
    """Return the tokens cut into lines of about ``width`` characters, as half-open ranges.

    >>> lines_of(["one", "two", "three"], width=8)
    [(0, 2), (2, 3)]
    """
    lines, first, used = [], 0, 0
    for i, token in enumerate(tokens):
        if used and used + len(token) > width:
            lines.append((first, i))
            first, used = i, 0
        used += len(token) + 1
    return [*lines, (first, len(tokens))] if tokens else []


def layered_text(
    tokens: Sequence[str],
    layers: Sequence[Layer],
    *,
    labels: tuple[str, ...],
    title: str,
    width: int = 80,
) -> str:
    """Return tokens with a row of boxes under them for each layer, cut into lines.

    A layer that says nothing of a line has no row there. The colours of boxes count ``labels``.

    >>> layer = Layer(name="cities", kind="function", spans=((1, 2, "LOC", 0.9),))
    >>> svg = layered_text(["in", "Oslo"], [layer], labels=("LOC",), title="example")
    >>> "cities" in svg and "LOC .90" in svg
    True
    """
    side = 16 + max(
        (width_of(shortened(layer.name, _LONGEST_NAME), _SMALL + 0.5) for layer in layers),
        default=0.0,
    )
    parts: list[str] = []
    y, right = 0.0, side
    for first, last in lines_of(tokens, width):
        here = [
            layer for layer in layers if any(a < last and first < b for a, b, *_ in layer.spans)
        ]
        edges = _edges(tokens, here, first, last, side)
        right = max(right, edges[-1])
        baseline = y + _SIZE + 3
        for i in range(first, last):
            x, end = edges[i - first], edges[i - first + 1]
            # The width is forced: which type the reader has is unknown.
            room = end - x - _GAP
            own = min(width_of(visible(tokens[i]), _SIZE), room)
            parts.append(
                write(
                    x,
                    baseline,
                    tokens[i],
                    size=_SIZE,
                    more=f'textLength="{own:.1f}" lengthAdjust="spacingAndGlyphs"',
                )
            )
        y = baseline + 7
        for layer in here:
            bold = ' class="p-bold"' if layer.kind != "function" else ' class="p-quiet"'
            parts.append(
                write(
                    0,
                    y + _ROW * 0.66,
                    shortened(layer.name, _LONGEST_NAME),
                    size=_SMALL + 0.5,
                    more=bold.strip(),
                )
            )
            for start, end, label, probability in layer.spans:
                if start < last and first < end:
                    left = edges[max(start, first) - first]
                    box = edges[min(end, last) - first] - left - _GAP
                    parts.append(_box(left, y, box, layer, label, probability, labels))
            y += _ROW + 1
        y += 12
    return picture(right + 4, max(y - 6, 1), title, "".join(parts))


def _edges(
    tokens: Sequence[str], layers: Sequence[Layer], first: int, last: int, side: float
) -> list[float]:
    """Return where each token of a line begins, and where the last ends, wide enough for labels."""
    widths = [width_of(visible(tokens[i]), _SIZE) + _GAP for i in range(first, last)]
    for layer in layers:
        for start, end, label, probability in layer.spans:
            low, high = max(start, first) - first, min(end, last) - first
            if low < high:
                # Bold letters are wider.
                bold = 1.0 if layer.kind == "function" else 1.1
                need = bold * width_of(caption(label, probability), _SMALL) + 8 + _GAP
                widths[high - 1] += max(0.0, need - sum(widths[low:high]))
    edges = [side]
    for each in widths:
        edges.append(edges[-1] + each)
    return edges


def caption(label: str, probability: float) -> str:
    """Return what a box says: the label, and its probability unless it is certain.

    >>> caption("LOC", 0.5), caption("LOC", 1.0)
    ('LOC .50', 'LOC')
    """
    return label if probability > 0.995 else f"{label} {probability:.2f}".replace(" 0.", " .")


def _box(
    x: float,
    y: float,
    width: float,
    layer: Layer,
    label: str,
    probability: float,
    labels: tuple[str, ...],
) -> str:
    kind = colour_class(label, labels)
    rect = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{_ROW - 2:.1f}" rx="3"'
    said = f"{layer.name}: {label}, {probability:.2f}"
    edge = f'<rect class="p-edge" {rect}/>' if layer.kind == "gold" else ""
    more = 'text-anchor="middle" class="p-on' + (' p-bold"' if layer.kind != "function" else '"')
    shown = write(
        x + width / 2, y + _ROW * 0.66, caption(label, probability), size=_SMALL, more=more
    )
    return f'<g><title>{escape(said)}</title><rect class="{kind}" {rect}/>{edge}{shown}</g>'
