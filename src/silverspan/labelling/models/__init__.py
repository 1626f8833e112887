"""Named-entity recognisers trained elsewhere, as labelling functions: raw, and corrected (``+c``).

A model runs once a batch, however many functions are made of it, and loads when first asked.
"""

from silverspan.labelling.models.corrections import correct
from silverspan.labelling.models.pipeline import spacy_model
from silverspan.labelling.models.token_classifier import transformers_model

__all__ = ["correct", "spacy_model", "transformers_model"]
