"""The project's own labelling functions: callables from a spaCy Doc to spans, half-open, in tokens.

Change one and run again: only that function, what reads it, and the later stages are redone.
"""

import silverspan as sp


@sp.labelling_function(labels=["ORG"])
def after_shares_of(doc):
    """What capitalised words follow "shares of" are a company."""
    for token in doc[:-2]:
        if token.lower_ == "shares" and doc[token.i + 1].lower_ == "of":
            start = end = token.i + 2
            while end < len(doc) and doc[end].text[:1].isupper():
                end += 1
            if end > start:
                yield start, end, "ORG", 0.9


@sp.labelling_function(labels=["PERSON"])
def after_title(doc):
    """One or two capitalised words after a title are a person."""
    titles = {"Mr.", "Mrs.", "Ms.", "Dr.", "President", "Minister"}
    for token in doc[:-1]:
        if token.text in titles and doc[token.i + 1].is_title:
            end = token.i + 2
            if end < len(doc) and doc[end].is_title:
                end += 1
            yield token.i + 1, end, "PERSON", 0.8
