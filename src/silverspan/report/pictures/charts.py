"""Charts: bars with intervals, a curve over rounds, and how often the confident are right."""

from collections.abc import Mapping, Sequence

from silverspan.report.pictures.svg import escape, picture, shortened, width_of, write

_SIZE = 12.0
_BAR = 9.0
_LONGEST = 24


def bars(
    values: Mapping[str, Sequence[float]],
    series: Sequence[str],
    *,
    title: str,
    intervals: Mapping[str, Sequence[tuple[float, float] | None]] | None = None,
    width: float = 360.0,
) -> str:
    """Return a group of bars for every row, one a series, on a scale from 0 to 1.

    Two series at most have a colour of their own. ``intervals`` draw a whisker on a bar.

    >>> svg = bars({"LOC": [0.8, 0.7]}, ["silver", "student"], title="F1")
    >>> "LOC, silver: 0.800" in svg
    True
    """
    side = 12 + max((width_of(shortened(name, _LONGEST), _SIZE) for name in values), default=0.0)
    top, group = 30.0, _BAR * len(series) + 9
    bottom = top + group * len(values)
    parts = []
    legend = side
    for kind, name in zip("abc", series, strict=False):
        parts.append(
            f'<rect class="p-{kind}" x="{legend:.1f}" y="3" width="10" height="10" rx="2"/>'
        )
        parts.append(write(legend + 15, 12, name, size=_SIZE))
        legend += width_of(name, _SIZE) + 34
    for tick in range(0, 11, 2):
        x = side + width * tick / 10
        parts.append(f'<path class="p-rule" d="M{x:.1f} {top - 4:.1f}V{bottom:.1f}"/>')
        more = 'text-anchor="middle" class="p-quiet"'
        parts.append(write(x, bottom + 13, f"{tick / 10:.1f}", size=_SIZE - 2, more=more))
    for i, (name, row) in enumerate(values.items()):
        y = top + i * group + 3
        more = 'text-anchor="end"'
        middle = y + _BAR * len(series) / 2 + 4
        parts.append(write(side - 7, middle, shortened(name, _LONGEST), size=_SIZE, more=more))
        for j, value in enumerate(row):
            level = y + j * _BAR
            said = f"{name}, {series[j]}: {value:.3f}"
            given = None if intervals is None else intervals.get(name, [None] * len(row))[j]
            if given is not None:
                said += f", 95 % interval {given[0]:.3f} to {given[1]:.3f}"
            parts.append(
                f'<rect class="p-{"abc"[j % 3]}" x="{side:.1f}" y="{level:.1f}" rx="1.5" '
                f'width="{width * min(max(value, 0.0), 1.0):.1f}" height="{_BAR - 1.5:.1f}">'
                f"<title>{escape(said)}</title></rect>"
            )
            if given is not None:
                low, high = (side + width * edge for edge in given)
                line = level + (_BAR - 1.5) / 2
                parts.append(
                    f'<path class="p-whisker" d="M{low:.1f} {line:.1f}H{high:.1f}'
                    f'M{low:.1f} {line - 2.5:.1f}v5M{high:.1f} {line - 2.5:.1f}v5"/>'
                )
    return picture(side + width + 16, bottom + 20, title, "".join(parts))


def curve(values: Sequence[float], *, title: str, across: str, width: float = 520.0) -> str:
    """Return values by round as a line, with the first and last written out.

    >>> "3 rounds" in curve([-9.0, -5.0, -4.0], title="log likelihood", across="3 rounds")
    True
    """
    left, top, height = 12.0, 20.0, 150.0
    low, high = min(values), max(values)
    scale = max(high - low, 1e-12)
    step = (width - 2 * left) / max(len(values) - 1, 1)
    points = [
        (left + i * step, top + height * (1 - (value - low) / scale))
        for i, value in enumerate(values)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(
        f'<circle class="p-a" cx="{x:.1f}" cy="{y:.1f}" r="3.5"><title>{i}: {value:,.2f}</title>'
        "</circle>"
        for i, ((x, y), value) in enumerate(zip(points, values, strict=True))
    )
    quiet = 'class="p-quiet"'
    parts = [
        f'<path class="p-rule" d="M{left:.1f} {top + height + 8:.1f}H{width - left:.1f}"/>',
        f'<polyline class="p-line" points="{line}"/>{dots}',
        write(left + 8, points[0][1] + 4, _signed(values[0]), size=_SIZE, more=quiet),
        write(
            width - left,
            points[-1][1] - 9,
            _signed(values[-1]),
            size=_SIZE,
            more='text-anchor="end"',
        ),
        write(left, top + height + 24, across, size=_SIZE, more=quiet),
    ]
    return picture(width, top + height + 32, title, "".join(parts))


def _signed(value: float) -> str:
    return f"{value:,.1f}".replace("-", "\N{MINUS SIGN}")


def reliability(
    bins: Sequence[tuple[float, float, int]], *, title: str, width: float = 260.0
) -> str:
    """Return how often what is so probable is right: mean probability, share right, and count.

    The diagonal is perfect calibration; the area of a dot grows with how many it stands for.

    >>> "0.90 probable, right 0.80 of 12" in reliability([(0.9, 0.8, 12)], title="calibration")
    True
    """
    left, top = 34.0, 10.0
    bottom = top + width
    parts = [f'<rect class="p-cell" x="{left}" y="{top}" width="{width}" height="{width}"/>']
    for tick in range(0, 11, 2):
        x, y = left + width * tick / 10, bottom - width * tick / 10
        parts.append(
            f'<path class="p-rule" d="M{left} {y:.1f}H{left + width}M{x:.1f} {top}V{bottom}"/>'
        )
        quiet = 'class="p-quiet" text-anchor='
        parts.append(write(left - 6, y + 4, f"{tick / 10:.1f}", size=10, more=quiet + '"end"'))
        parts.append(write(x, bottom + 14, f"{tick / 10:.1f}", size=10, more=quiet + '"middle"'))
    parts.append(
        f'<path class="p-whisker" stroke-dasharray="4 3" '
        f'd="M{left} {bottom}L{left + width} {top}"/>'
    )
    places = [(left + width * p, bottom - width * right) for p, right, _ in bins]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts.append(f'<polyline class="p-line" points="{line}"/>')
    most = max((count for *_, count in bins), default=1)
    for (x, y), (probability, right, count) in zip(places, bins, strict=True):
        radius = 3 + 6 * (count / most) ** 0.5
        parts.append(
            f'<circle class="p-a" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"><title>'
            f"{probability:.2f} probable, right {right:.2f} of {count:,}</title></circle>"
        )
    more = 'text-anchor="middle" class="p-quiet"'
    parts.append(write(left + width / 2, bottom + 30, "probability given", size=11, more=more))
    x, y = 9.0, top + width / 2
    parts.append(
        write(x, y, "share right", size=11, more=f'{more} transform="rotate(-90 {x} {y:.1f})"')
    )
    return picture(left + width + 14, bottom + 36, title, "".join(parts))
