"""Named sets of labelling functions: the paper's 52, and sets to start from.

A preset is a tuple of names; ``select`` makes the functions and says which it had to leave out, and
why. ``paper``, ``fast``, ``english``, ``conll2003`` and ``none`` return the functions alone and log
what is missing.

==========  ====================================================================================
paper       the 52 functions of the paper's Appendix A
fast        the paper's without neural models: a few seconds for a million words
english     what serves English text of any domain: the paper's functions without Crunchbase, whose
            list may not be shipped
conll2003   the paper's for CoNLL-2003 as a target: without the model trained on that very data
language:X  heuristics and document-level functions with the word lists of language X ("nb"), or of
            the folder X
none        nothing; a project's own functions only
==========  ====================================================================================
"""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from silverspan.errors import LabellingError, SilverspanError, UnknownNameError
from silverspan.labelling.function import LabellingFunction, functions

logger = logging.getLogger(__name__)

#: Models trained elsewhere, each raw and corrected.
NEURAL = tuple(
    f"{model}{variant}"
    for model in ("BTC", "SEC", "conll2003", "core_web_md")
    for variant in ("", "+c")
)
#: Six lists of names, each searched in four ways.
GAZETTEERS = tuple(
    f"{prefix}{names}_{case}"
    for names in ("wiki", "wiki_small", "company", "crunchbase", "geo", "product")
    for prefix in ("", "multitoken_")
    for case in ("cased", "uncased")
)
#: Casing, tags, word lists and grammars.
HEURISTICS = (
    "date_detector",
    "time_detector",
    "money_detector",
    "number_detector",
    "legal_detector",
    "misc_detector",
    "full_name_detector",
    "company_type_detector",
    "nnp_detector",
    "infrequent_nnp_detector",
    "proper_detector",
    "infrequent_proper_detector",
    "proper2_detector",
    "infrequent_proper2_detector",
    "compound_detector",
    "infrequent_compound_detector",
    "snips",
)
#: Functions that read the others.
DOCUMENT_LEVEL = ("doc_history", "doc_majority_cased", "doc_majority_uncased")

PAPER = (*NEURAL, *GAZETTEERS, *HEURISTICS, *DOCUMENT_LEVEL)

# The prefix of a preset for another language: "language:nb".
_LANGUAGE = "language:"

#: Every preset by name.
PRESETS: Mapping[str, tuple[str, ...]] = {
    "paper": PAPER,
    "fast": tuple(name for name in PAPER if name not in NEURAL),
    "english": tuple(name for name in PAPER if "crunchbase" not in name),
    "conll2003": tuple(name for name in PAPER if not name.startswith("conll2003")),
    "none": (),
}


#: Labels of functions that cannot be made without a file of the user's.
LABELS: Mapping[str, tuple[str, ...]] = {
    name: ("COMPANY",) for name in GAZETTEERS if "crunchbase" in name
}


def group_of(name: str) -> str:
    """Return the group of a function by its name, whether it can be made here or not.

    >>> group_of("crunchbase_cased"), group_of("mine")
    ('gazetteers', 'custom')
    """
    groups = {
        "neural": NEURAL,
        "gazetteers": GAZETTEERS,
        "heuristics": HEURISTICS,
        "document_level": DOCUMENT_LEVEL,
    }
    return next((group for group, names in groups.items() if name in names), "custom")


@dataclass(frozen=True, slots=True)
class Selection:
    """The functions of a preset that can be made here, and why each of the others cannot."""

    functions: tuple[LabellingFunction, ...]
    left_out: Mapping[str, str]

    def reasons(self) -> dict[str, list[str]]:
        """Return the names that are left out, by reason."""
        reasons: dict[str, list[str]] = {}
        for name, reason in self.left_out.items():
            reasons.setdefault(reason, []).append(name)
        return reasons


def select(
    preset: str | Iterable[str], options: Mapping[str, Mapping[str, Any]] | None = None
) -> Selection:
    """Return the functions of a preset, or of a list of names, with the options of each by name.

    >>> selection = select(["date_detector", "proper_detector"])
    >>> [function.name for function in selection.functions]
    ['date_detector', 'proper_detector']

    Raises:
        UnknownNameError: there is no such preset.
    """
    if isinstance(preset, str) and preset.startswith(_LANGUAGE):
        names, options = _of_language(preset.removeprefix(_LANGUAGE), options or {})
    elif isinstance(preset, str) and preset not in PRESETS:
        raise UnknownNameError("preset", preset, [*PRESETS, "language:nb"])
    else:
        names = PRESETS[preset] if isinstance(preset, str) else tuple(preset)
    made: list[LabellingFunction] = []
    left_out: dict[str, str] = {}
    for name in names:
        if name not in functions:
            left_out[name] = "no installed package registers it"
            continue
        own = (options or {}).get(name, {})
        try:
            made.append(functions[name](**own))
        except TypeError as error:
            if not own:
                raise
            raise LabellingError(
                f"labelling function {name!r} cannot be made with the options "
                f"{', '.join(own)}: {error}",
                function=name,
            ) from error
        except SilverspanError as error:
            # What somebody asked for by an option is not left out in silence.
            if own:
                raise
            left_out[name] = str(error)
    if any(function.group == "gazetteers" for function in made):
        from silverspan.labelling.gazetteers import combine  # noqa: PLC0415 (only if wanted)

        made = combine(made)
    return Selection(functions=tuple(made), left_out=left_out)


def _of_language(
    words: str, options: Mapping[str, Mapping[str, Any]]
) -> tuple[tuple[str, ...], Mapping[str, Mapping[str, Any]]]:
    """Return the functions that word lists carry to another language, each given the lists."""
    names = (*(name for name in HEURISTICS if name != "snips"), *DOCUMENT_LEVEL)
    needs_words = {*HEURISTICS, "doc_history"}
    given = {name: {"words": words} for name in names if name in needs_words}
    return names, {name: {**given.get(name, {}), **options.get(name, {})} for name in names}


def paper(**options: Mapping[str, Any]) -> list[LabellingFunction]:
    """Return the paper's functions; keyword arguments are the options of functions by name."""
    return _functions("paper", options)


def fast(**options: Mapping[str, Any]) -> list[LabellingFunction]:
    """Return the paper's functions without neural models."""
    return _functions("fast", options)


def english(**options: Mapping[str, Any]) -> list[LabellingFunction]:
    """Return the functions to start with on English text."""
    return _functions("english", options)


def conll2003(**options: Mapping[str, Any]) -> list[LabellingFunction]:
    """Return the paper's functions less those trained on CoNLL-2003."""
    return _functions("conll2003", options)


def language(words: str, **options: Mapping[str, Any]) -> list[LabellingFunction]:
    """Return heuristics and document-level functions for another language.

    ``words`` is a language whose word lists ship (``"nb"``), or a folder of such lists.

    >>> [function.options for function in language("nb")][0]
    {'words': 'nb'}
    """
    return _functions(f"{_LANGUAGE}{words}", options)


def none() -> list[LabellingFunction]:
    """Return no function."""
    return []


def _functions(preset: str, options: Mapping[str, Mapping[str, Any]]) -> list[LabellingFunction]:
    selection = select(preset, options)
    for reason, names in selection.reasons().items():
        logger.warning("preset %r leaves out %s: %s", preset, ", ".join(names), reason)
    return list(selection.functions)
