"""Other packages' worlds, imported nowhere else: annotation tools, datasets, executors, models."""

from silverspan.integrations.export import FORMATS, export

__all__ = ["FORMATS", "export"]
