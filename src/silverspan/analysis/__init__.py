"""Analysis: what votes, and what a label model made of them, say of each function and document.

Without gold; and with a little gold, what is measured. Everything comes as rows, JSON and frames.
"""

from silverspan.analysis.analyst import Analyst, analyse
from silverspan.analysis.findings import (
    Analysis,
    DocumentRow,
    EntityRow,
    FunctionRow,
    LabelRow,
    PairRow,
    TokenRow,
)
from silverspan.analysis.gold import GoldFindings, Mistake
from silverspan.analysis.suggestions import Suggestion
from silverspan.analysis.terms import Terms

__all__ = [
    "Analysis",
    "Analyst",
    "DocumentRow",
    "EntityRow",
    "FunctionRow",
    "GoldFindings",
    "LabelRow",
    "Mistake",
    "PairRow",
    "Suggestion",
    "Terms",
    "TokenRow",
    "analyse",
]
