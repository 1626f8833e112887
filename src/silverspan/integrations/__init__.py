"""silverspan.integrations."""
