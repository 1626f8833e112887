"""silverspan.evaluation."""
