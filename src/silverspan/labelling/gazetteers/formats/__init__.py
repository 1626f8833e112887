"""Readers of source formats, one file each; found by name in the registry of entries.py."""
