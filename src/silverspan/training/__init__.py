"""silverspan.training."""
