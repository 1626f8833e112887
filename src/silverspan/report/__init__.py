"""silverspan.report."""
