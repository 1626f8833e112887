"""Pictures as SVG: pure functions from numbers to text, for reports and for files."""

from silverspan.report.pictures.charts import bars, curve, reliability
from silverspan.report.pictures.heat import heat_map
from silverspan.report.pictures.layered import Layer, layered_text, lines_of
from silverspan.report.pictures.svg import STYLE, colour_class, standalone, visible

__all__ = [
    "STYLE",
    "Layer",
    "bars",
    "colour_class",
    "curve",
    "heat_map",
    "layered_text",
    "lines_of",
    "reliability",
    "standalone",
    "visible",
]
