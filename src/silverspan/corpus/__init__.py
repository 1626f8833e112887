"""silverspan.corpus."""
