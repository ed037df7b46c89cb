"""Predicted over measured times of published steps and prompts: dse validate --figure parity.png.

    dse validate --json > rows.json && python -m dse_analysis.parity rows.json -o parity.png

Families differ in colour (of Okabe and Ito) and in marker, so that the figure can be read in grey, too. Filled
markers are calibration rows, which constants were fitted to; hollow ones are validation rows.
"""

import argparse
import json
import pathlib
import sys
from typing import NamedTuple

import numpy as np

from dse_analysis.whole_file import whole_file

#: {family: (colour, marker)}, in drawing order.
FAMILIES = {"dense models, GPU": ("#0072B2", "o"), "dense models, TPU": ("#009E73", "^"),
            "mixtures of experts": ("#D55E00", "s"), "gpt-oss 120B": ("#CC79A7", "D"), "prompts": ("#000000", "v")}

BANDS = (0.1, 0.2)  # relative errors
_SHADES = ("#d0d0d0", "#ececec")  # of the bands, inner one first
_TICKS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5)


class ParityInfo(NamedTuple):
    """Compared rows."""

    measured: np.ndarray     #: (n_rows,) s
    ratio: np.ndarray        #: (n_rows,) predicted over measured
    family: np.ndarray       #: (n_rows,) of str, keys of FAMILIES
    calibration: np.ndarray  #: (n_rows,) of bool


def family_of(row):
    """Return the key of FAMILIES to which a row of `dse validate --json` belongs."""
    if row["metric"] == "prefill_latency":
        return "prompts"
    if row["template"] == "gpt_oss":
        return "gpt-oss 120B"
    if row["experts"]:
        return "mixtures of experts"
    return "dense models, TPU" if row["chip"].startswith("TPU") else "dense models, GPU"


def parity_info(rows):
    """Select the times with a weight among the rows of `dse validate --json`.

    Parameters
    ----------
    rows : list of dict

    Returns
    -------
    ParityInfo
    """
    times = [row for row in rows
             if not row["why"] and row["weight"] > 0 and row["metric"] in ("iteration_time", "prefill_latency")]
    return ParityInfo(np.array([row["measured"] for row in times], dtype=float),
                      np.array([row["predicted"] / row["measured"] for row in times], dtype=float),
                      np.array([family_of(row) for row in times], dtype=object),
                      np.array([row["role"] == "calibration" for row in times], dtype=bool))


def draw_parity(info):
    """Return a figure of `ParityInfo`."""
    from matplotlib import pyplot as plt
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    from dse_analysis.figures import STYLE

    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(7.2, 4.8), layout="constrained")
        for band, shade in reversed(list(zip(BANDS, _SHADES))):
            axes.axhspan(1 - band, 1 + band, color=shade, linewidth=0, zorder=0)
        axes.axhline(1.0, color="#555555", linewidth=0.8, zorder=1)
        for family, (color, marker) in FAMILIES.items():
            here = info.family == family
            if not here.any():
                continue
            inside = 100 * np.mean(np.abs(info.ratio[here] - 1) <= BANDS[-1])
            name = f"{family} ({np.count_nonzero(here)}, {inside:.0f} % within ±{100 * BANDS[-1]:.0f} %)"
            for filled in (True, False):
                rows = here & (info.calibration == filled)
                axes.scatter(info.measured[rows], info.ratio[rows], s=20, marker=marker, linewidths=0.9, zorder=2,
                             facecolors=color if filled else "none", edgecolors="white" if filled else color)
            axes.scatter([], [], s=20, marker=marker, color=color, label=name)
        axes.scatter([], [], s=20, marker="o", facecolors="none", edgecolors="#000000", label="hollow: validation row")
        axes.set_xscale("log")
        axes.set_yscale("log")
        ticks = [tick for tick in _TICKS if info.ratio.min() * 0.9 <= tick <= max(info.ratio.max() * 1.1, 1.2)]
        axes.yaxis.set_major_locator(FixedLocator(ticks))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.set_xlabel("measured time [s]")
        axes.set_ylabel("predicted over measured")
        axes.set_title("Bands: ±10 % and ±20 %", loc="left", fontsize=9)
        figure.legend(loc="outside lower center", ncols=2)  # inside the axes it would hide rows
    return figure


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="dse_analysis.parity", description="Predicted over measured times.")
    parser.add_argument("rows", type=pathlib.Path, help="output of dse validate --json")
    parser.add_argument("-o", "--output", required=True, help="figure to write; the suffix selects the format (png, pdf, svg)")
    options = parser.parse_args(arguments)
    info = parity_info(json.loads(options.rows.read_text())["rows"])
    if not len(info.ratio):
        print("dse: no row has a predicted and a measured time", file=sys.stderr)
        return 2
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "dse"  # ids that are the same at every call
    figure = draw_parity(info)
    suffix = pathlib.Path(options.output).suffix[1:]
    try:
        with whole_file(options.output) as file:
            # Without the date, which would make equal figures differ.
            figure.savefig(file, format=suffix, metadata={"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(suffix))
    except OSError as error:
        print(f"dse: {error}", file=sys.stderr)
        return 2
    print(f"figure: {options.output}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
