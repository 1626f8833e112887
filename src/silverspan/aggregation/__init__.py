"""silverspan.aggregation."""
