"""How templates show what comes from outside: text safe to read, numbers, bars, addresses."""

from urllib.parse import urlencode

from markupsafe import Markup

from silverspan.report.pictures.svg import shortened, visible


def seen(text: object, longest: int = 120) -> str:
    """Return a text of others as it is shown: every character visible, and not too long."""
    text = str(text)
    words = " ".join(text.split())
    # White space at the edges is kept as one blank: texts are shown in pieces.
    lead, trail = " " * text[:1].isspace(), " " * (len(words) > 0 and text[-1:].isspace())
    return lead + shortened(visible(shortened(words, longest)), longest * 2) + trail


def word(text: str) -> str:
    """Return a token as it is shown: white space is one blank, what is unseen is spelled out."""
    return " " if text.isspace() else shortened(visible(text), 400)


def percent(value: float) -> str:
    """Return a probability in percent, honest at both ends.

    >>> percent(0.9997), percent(0.0001), percent(0.5)
    ('> 99.9 %', '< 0.1 %', '50 %')
    """
    if 0.9985 <= value < 1:
        return "> 99.9 %" if value > 0.9995 else f"{100 * value:.1f} %"
    if 0 < value < 0.0015:
        return "< 0.1 %" if value < 0.001 else f"{100 * value:.1f} %"
    return f"{100 * value:.0f} %"


def signed(value: float) -> str:
    """Return a number with its sign and two decimals.

    >>> signed(-0.5), signed(2.0)
    ('−0.50', '+2.00')
    """
    return f"{'−' if value < 0 else '+'}{abs(value):.2f}"


def share(value: float | None) -> str:
    """Return a share with two decimals, or a dash."""
    return "–" if value is None else f"{value:.2f}"


def bar(value: float, widest: float = 1.0) -> Markup:
    """Return a bar: from the left for shares, from the middle where amounts have a sign."""
    size = min(abs(value) / widest, 1.0) * 100
    if widest == 1.0:
        shape = f'<rect class="bar-fill" width="{size:.1f}" height="8" rx="1.5"/>'
    else:
        left = 50 - size / 2 if value < 0 else 50.0
        sign = "bar-against" if value < 0 else "bar-for"
        shape = (
            f'<rect class="{sign}" x="{left:.1f}" width="{size / 2:.1f}" height="8" rx="1.5"/>'
            '<rect class="bar-zero" x="49.6" width=".8" height="8"/>'
        )
    return Markup(
        '<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="bar-ground" width="100" height="8" rx="1.5"/>{shape}</svg>'
    )


def query(**values: object) -> str:
    """Return the parameters of an address."""
    return urlencode(
        {key: value for key, value in values.items() if value not in ("", None, False)}
    )
