"""silverspan.observations."""
