"""Options that several commands share: lists of names, and labels with their mapping."""

import argparse
from collections.abc import Sequence


def names(text: str) -> list[str]:
    """Return the names of a comma-separated list: the ``type`` of such an option.

    >>> names("PER, LOC")
    ['PER', 'LOC']
    """
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} names nothing; say one or more, as in A,B")
    return found


def seed(text: str) -> int:
    """Return the number of a seed: the ``type`` of ``--seed``."""
    if not (text.isascii() and text.isdigit() and int(text) < 2**32):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 to {2**32 - 1}")
    return int(text)


def mapping(text: str) -> dict[str, str]:
    """Return what ``OLD=NEW`` means, also several with commas: the ``type`` of ``--map``.

    >>> mapping("GPE=LOC,FAC=LOC")
    {'GPE': 'LOC', 'FAC': 'LOC'}
    """
    pairs = [pair.partition("=") for pair in names(text)]
    if not pairs or not all(old.strip() and new.strip() for old, _, new in pairs):
        raise argparse.ArgumentTypeError(f"{text!r} should read OLD=NEW")
    return {old.strip(): new.strip() for old, _, new in pairs}


def joined(mappings: Sequence[dict[str, str]]) -> dict[str, str]:
    """Return the mapping of an option that was given several times."""
    return {old: new for each in mappings for old, new in each.items()}


def add_label_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--labels`` and ``--map``; read them as ``arguments.labels`` and ``joined(...map)``."""
    parser.add_argument(
        "--labels", type=names, metavar="A,B", help="the labels that count (default: all)"
    )
    parser.add_argument(
        "--map",
        type=mapping,
        action="append",
        default=[],
        metavar="OLD=NEW",
        help="rename a label first; may be repeated, or hold several with commas",
    )
