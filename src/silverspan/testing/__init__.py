"""silverspan.testing."""
