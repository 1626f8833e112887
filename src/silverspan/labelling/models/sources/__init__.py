"""Recognisers trained from labelled text of another domain: cleaning, vectors, training, weights.

A source is a labelled corpus; its recogniser is small, and shipped with the package.
"""
