"""Figures and a summary of a results file: python -m dse_analysis results.h5 -o out.png --summary."""

import argparse
import os
import pathlib
import sys

from dse_analysis.meaning import OF_REQUESTS
from dse_analysis.question import asked, asked_objectives, is_asked, row_mask
from dse_analysis.results import ResultsError, with_results
from dse_analysis.summary import summary_text, usable_objectives
from dse_analysis.thinned import MOST_ROWS, thinned
from dse_analysis.whole_file import whole_file


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(prog="dse_analysis", description="Figures and a summary of a results file.")
    parser.add_argument("results", help="finished results file (HDF5)")
    parser.add_argument("-o", "--output", help="figure to write; the suffix selects the format (png, pdf, svg, or html "
                        "for the interactive page)")
    parser.add_argument("-x", help="metric on the x axis (default: the first objective)")
    parser.add_argument("-y", help="metric on the y axis (default: the second objective, or memory_peak over iteration_time)")
    parser.add_argument("--color", help="axis that determines the points' colour (default: the first that varies)")
    parser.add_argument("--top", type=int, default=8, help="number of points in breakdown and summary (default: %(default)s)")
    parser.add_argument("--gain", metavar="AXIS=VALUE", help="instead draw how metric -y changes with other values of this axis")
    parser.add_argument("--over", metavar="AXIS", help="with --gain: the axis along x")
    parser.add_argument("--panel", metavar="AXIS", help="with --gain: an axis with one panel per value")
    parser.add_argument("--summary", action="store_true", help="print counts and the front")
    parser.add_argument("--unsealed", action="store_true", help="also read a file without a valid seal; its output is marked")
    parser.add_argument("--objectives", help="objectives instead of the sweep's, e.g. 'mfu: maximize, energy: minimize'")
    parser.add_argument("--rows", metavar="FILE", help="use only these rows: a file with '1' or '0' per row, in their order")
    parser.add_argument("--where", action="append", default=[], help="with --rows: the condition that selected them, for titles")
    parser.add_argument("--by", metavar="AXIS,…", help="draw one front per value of this axis, or per combination of several")
    parser.add_argument("--mark", type=int, metavar="ID", help="id of a point to mark")
    options = parser.parse_args(arguments)
    if options.gain and not (options.over and options.output):
        parser.error("--gain needs --over and -o")
    if options.gain and is_page(options):
        parser.error("--gain draws figures (png, pdf, svg)")
    if not options.gain and (options.over or options.panel):
        parser.error("--over and --panel belong to --gain AXIS=VALUE")
    if options.where and not options.rows:
        parser.error("--where is the title of the rows that --rows chooses (dse report --where chooses rows by a condition)")
    return options


def axes_of(options, objectives=(), columns=()):
    """Return the metrics along x and y: by option, else the first two objectives, else time and memory.

    A single objective that is asked for is drawn over memory (memory over time), one over requests over their time to
    the first token.
    """
    chosen = [name for name, _ in objectives if name in columns]
    default = chosen[:2] if len(chosen) > 1 else ["iteration_time", "memory_peak"]
    if objective_alone(options, objectives):
        default = [chosen[0], "iteration_time" if chosen[0] == "memory_peak" else "memory_peak"]
    if len(chosen) == 1 and "ttft_p99" in columns:  # requests: a step's time and the peak say little of them
        default = ["tpot_p99" if chosen[0] == "ttft_p99" else "ttft_p99", chosen[0]]
    return options.x or default[0], options.y or default[1]


def objective_alone(options, objectives):
    """Return the only objective that the user asks for, whose best points are drawn instead of a front; else None."""
    return objectives[0][0] if options.objectives and len(objectives) == 1 else None


def is_page(options):
    return bool(options.output) and pathlib.Path(options.output).suffix == ".html"


def write_output(table, options):
    """Write the page or the figure, importing only the libraries that it needs."""
    if is_page(options):
        from dse_analysis.report import write_page

        write_page(table, options.output)
        say(f"report: {options.output}")
    else:
        figure = figure_of(table, options)
        suffix = pathlib.Path(options.output).suffix[1:]
        if suffix not in figure.canvas.get_supported_filetypes():
            raise ResultsError(f"{options.output}: no figure can have the suffix '{suffix}' (png, pdf, svg; html: a page)")
        with whole_file(options.output) as file:
            # Without the date, which would make equal figures differ.
            figure.savefig(file, format=suffix, metadata={"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(suffix))
        say(f"figure: {options.output}")


def table_of(results, options, most_rows=MOST_ROWS):
    """Return all rows of an open `Results`; if there are many, only those that figure and summary need."""
    if len(results) > most_rows and is_page(options):
        from dse_analysis.report.large import rows_of_large

        mask = row_mask(options.rows, len(results)) if options.rows else None
        table = rows_of_large(results, asked_objectives(options, results.attrs["objectives"]), mask, options.mark, (options.x, options.y))
        return asked(table, options, is_selected=True)
    if len(results) <= most_rows or options.gain or is_asked(options):
        return asked(results.table(), options)
    from dse_analysis import figures

    objectives = results.attrs["objectives"]
    x, y = axes_of(options, objectives, results.columns)
    maximize = [name for name, direction in objectives if direction == "maximize"]
    drawn = [(name, "maximize" if figures.is_maximized(name, maximize) else "minimize") for name in (x, y)]
    for name in (x, y, *filter(None, [options.color])):
        if name not in results.columns:
            raise KeyError(f"no column '{name}'; the file has {', '.join(results.columns)}")
    kept = {x, y, options.color, *figures.SHOWN_METRICS, *OF_REQUESTS, *(name for name, _ in objectives)}
    return thinned(results, kept, [[pair for pair in objectives if pair[0] in results.columns], drawn])


def figure_of(table, options):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "dse"  # ids that are the same at every call
    from dse_analysis import figures, gains

    if options.gain:
        return gains.draw_gains(gains.gain_info(table, options.gain, options.over, axes_of(options)[1], options.panel))
    objectives = usable_objectives(table)
    return figures.overview(table, *axes_of(options, objectives, table.columns), options.color, options.top,
                            objective_alone(options, objectives))


def say(text):
    """Print a text; if its reader has gone, as behind `| head`, what remains to be written is written all the same."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments=None):
    options = parse_arguments(arguments)
    # Characters that a terminal cannot show are replaced; they must not cause a traceback.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        table = with_results(options.results, lambda results: table_of(results, options), options.unsealed)
        if options.summary or not options.output:
            say(summary_text(table, options.top))
        if options.output:
            write_output(table, options)
    except (ResultsError, KeyError, OSError) as error:
        print(f"dse: {error.args[0] if isinstance(error, KeyError) else error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
