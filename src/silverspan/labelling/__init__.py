"""silverspan.labelling."""
