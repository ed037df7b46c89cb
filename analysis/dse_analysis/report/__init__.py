"""A results file as one interactive page, self-contained: python -m dse_analysis results.h5 -o report.html."""

from dse_analysis.report.page import write_page

__all__ = ["write_page"]
