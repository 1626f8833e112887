"""Labelling functions: named callables from a spaCy ``Doc`` to spans.

Names are imported when first used, so that parts without spaCy (the value parser) stay without.
"""
