"""silverspan.cli."""
