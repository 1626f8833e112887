"""Two labelling functions of the demo's own, to show how little one takes."""

import silverspan as sp

TITLES = {"Mr", "Mr.", "Mrs", "Mrs.", "Ms", "Ms.", "Dr", "Dr.", "Judge", "Captain", "Inspector"}


@sp.labelling_function(labels=["PERSON"])
def after_title(doc):
    """Capitalised words after a title are a person."""
    for token in doc[:-1]:
        if token.text in TITLES:
            end = token.i + 1
            while end < len(doc) and doc[end].is_title and not doc[end].is_stop:
                end += 1
            if end > token.i + 1:
                yield token.i + 1, end, "PERSON", 0.9


@sp.labelling_function(labels=["ORG"])
def before_said_it(doc):
    """What "said it", "said its" or "said their" follows is more often an organisation."""
    for token in doc[1:-1]:
        if token.lower_ == "said" and doc[token.i + 1].lower_ in {"it", "its"}:
            start = token.i
            while start > 0 and doc[start - 1].is_title:
                start -= 1
            if start < token.i:
                yield start, token.i, "ORG", 0.8
