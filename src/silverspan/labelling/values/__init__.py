"""Dates, times, amounts, percents, numbers and quantities in texts, with probabilities.

Data per language in data/, one grammar for all. Only function.py (``snips``) needs spaCy.
"""

from silverspan.labelling.values.lexicon import languages
from silverspan.labelling.values.parser import ValueParser, parse, value_parser
from silverspan.labelling.values.reading import Value

__all__ = ["Value", "ValueParser", "languages", "parse", "value_parser"]
