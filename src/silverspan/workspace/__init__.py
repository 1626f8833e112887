"""silverspan.workspace."""
