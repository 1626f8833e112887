"""``core_web_md`` and ``core_web_md+c``: the OntoNotes-trained English model, as the paper has it.

The name is the paper's; the model is the best ``en_core_web_*`` installed, and the function's
version says which.
"""

from silverspan.labelling.function import LabellingFunction
from silverspan.labelling.models.pipeline import spacy_model

_NAME = "core_web_md"


def core_web_md(
    model: str = "en", beam_width: int = 1, truecase: bool = False
) -> LabellingFunction:
    """Return the function that says what the model finds.

    Raises:
        ModelError: no English model is installed.
    """
    return spacy_model(model, name=_NAME, beam_width=beam_width, truecase=truecase)


def core_web_md_corrected(
    model: str = "en", beam_width: int = 1, truecase: bool = False
) -> LabellingFunction:
    """Return the function that says what the model finds after ``corrections.correct``.

    Raises:
        ModelError: no English model is installed.
    """
    return spacy_model(model, name=_NAME, corrected=True, beam_width=beam_width, truecase=truecase)
