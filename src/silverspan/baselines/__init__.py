"""silverspan.baselines."""
