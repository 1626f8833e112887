"""Labelling functions that need no training: casing, word lists, and the grammar of values."""
