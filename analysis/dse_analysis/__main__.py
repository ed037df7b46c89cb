"""Figures and a summary of a results file: python -m dse_analysis results.h5 -o out.png --summary."""

import argparse
import pathlib
import sys

from dse_analysis.question import asked, is_asked
from dse_analysis.results import ResultsError, with_results
from dse_analysis.summary import summary_text
from dse_analysis.thinned import MOST_ROWS, known_of, thinned


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(prog="dse_analysis", description="Figures and a summary of a results file.")
    parser.add_argument("results", help="finished results file (HDF5)")
    parser.add_argument("-o", "--output", help="figure to write; the suffix chooses the format (png, pdf, svg); html: the "
                        "interactive page")
    parser.add_argument("-x", help="metric along x (default: iteration_time)")
    parser.add_argument("-y", help="metric along y (default: memory_peak)")
    parser.add_argument("--color", help="axis that colours the points (default: the first that varies)")
    parser.add_argument("--top", type=int, default=8, help="points in breakdown and summary (default: %(default)s)")
    parser.add_argument("--gain", metavar="AXIS=VALUE", help="draw instead what other values of this axis change of metric -y")
    parser.add_argument("--over", metavar="AXIS", help="of --gain: the axis along x")
    parser.add_argument("--panel", metavar="AXIS", help="of --gain: an axis with a panel for each of its values")
    parser.add_argument("--summary", action="store_true", help="print counts and the front")
    parser.add_argument("--unsealed", action="store_true", help="read a file without a valid seal too; its output is marked")
    parser.add_argument("--objectives", help="metrics to judge by instead of the sweep's, as in 'mfu: maximize, energy: minimize'")
    parser.add_argument("--rows", metavar="FILE", help="only these rows: a file with '1' or '0' for each, in their order")
    parser.add_argument("--where", action="append", default=[], help="of --rows: the condition that chose them, for titles")
    parser.add_argument("--by", metavar="AXIS", help="a front for each value of this axis")
    parser.add_argument("--mark", type=int, metavar="ID", help="id of a point that is shown by itself")
    options = parser.parse_args(arguments)
    if options.gain and not (options.over and options.output):
        parser.error("--gain needs --over and -o")
    if options.gain and is_page(options):
        parser.error("--gain draws figures (png, pdf, svg)")
    return options


def axes_of(options):
    return options.x or "iteration_time", options.y or "memory_peak"


def is_page(options):
    return bool(options.output) and pathlib.Path(options.output).suffix == ".html"


def write_output(table, options):
    """Write the page or the figure; of the libraries of the two only those that it takes are needed."""
    if is_page(options):
        from dse_analysis.report import write_page

        write_page(table, options.output)
        print(f"report: {options.output}")
    else:
        figure_of(table, options).savefig(options.output)
        print(f"figure: {options.output}")


def table_of(results, options, most_rows=MOST_ROWS):
    """Return all rows of an open `Results`, or of a large one those that figure and summary are made of."""
    if len(results) <= most_rows or options.gain or is_asked(options):
        return asked(results.table(), options)
    if is_page(options):
        table = results.table()
        table.attrs.update(known_of(table))
        return table
    from dse_analysis import figures

    x, y = axes_of(options)
    objectives = results.attrs["objectives"]
    maximize = [name for name, direction in objectives if direction == "maximize"]
    drawn = [(name, "maximize" if figures.is_maximized(name, maximize) else "minimize") for name in (x, y)]
    for name in (x, y, *filter(None, [options.color])):
        if name not in results.columns:
            raise KeyError(f"no column '{name}'; the file has {', '.join(results.columns)}")
    kept = {x, y, options.color, *figures.SHOWN_METRICS, *(name for name, _ in objectives)}
    return thinned(results, kept, [[pair for pair in objectives if pair[0] in results.columns], drawn])


def figure_of(table, options):
    import matplotlib

    matplotlib.use("Agg")
    from dse_analysis import figures, gains

    if options.gain:
        return gains.draw_gains(gains.gain_info(table, options.gain, options.over, axes_of(options)[1], options.panel))
    return figures.overview(table, *axes_of(options), options.by or options.color, options.top)


def main(arguments=None):
    sys.stdout.reconfigure(errors="replace")  # a terminal that cannot show every character still gets the rest
    options = parse_arguments(arguments)
    try:
        table = with_results(options.results, lambda results: table_of(results, options), options.unsealed)
        if options.summary or not options.output:
            print(summary_text(table, options.top))
        if options.output:
            write_output(table, options)
    except (ResultsError, KeyError, OSError) as error:
        print(f"error: {error.args[0] if isinstance(error, KeyError) else error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
