"""Show how far two power readings of one kernel are apart: what no prediction from its shape can be better than.

    python -m dse_analysis.kernel_rows KERNELS_FOLDER --gpu h200_sxm -o rows.csv
    python -m dse_analysis.power_repeats rows.csv
    python -m dse_analysis.power_repeats rows.csv --like           of kernels that do the same work at other times
    python -m dse_analysis.power_repeats rows.csv --predicted      beside the errors of trees on the same readings, shapes held out
    python -m dse_analysis.power_repeats rows.csv --neighbours     errors of trees that know the readings taken before and after

Attention with a window that holds all keys is the kernel without a window: tables that have both measured it twice, at
different times of the same collection. Pairs whose times differ by more than 3 % are left out, since a library may use
another kernel for windows. If a reading is off by e, two of them differ by the square root of 2 times as much (of
independent readings with equal scatter), so that the median of |ln(first / second)| / sqrt(2) is the median error of a
prediction that knows every kernel's mean reading. Both readings of such a pair follow like kernels, since a collection
runs through the same sizes in the same order: what these left in the readings is in both. Prefill kernels that differ in nothing but
the number of heads of keys and values (`--like`) compute the same, and follow others.

Tables are in the order in which readings were taken, of several GPUs at once. `--neighbours` holds out rows at random and
gives trees all other rows of the whole table and, as features, the readings next to a row: what these do not tell, no
shape does.
"""

import argparse
import sys

import numpy as np
import pandas as pd

from dse_analysis import fit_kernels
from dse_analysis.script import exit_code

#: What a kernel of attention is, but for its window.
SIZES = ["gpu", "operator", "library", "release", "format", "batch", "heads", "kv_heads", "head_dim", "queries", "keys", "cache"]
#: What prefill's work is, but for the reading of keys and values.
WORK = [name for name in SIZES if name != "kv_heads"] + ["window"]
#: Places of the readings that `--neighbours` knows, before and after a row.
NEIGHBOURS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16)
#: LightGBM's parameters for whole tables.
WHOLE_TABLE = {"num_leaves": 63, "learning_rate": 0.15, "trees": 120}
#: Largest difference of the logarithms of two times of one kernel.
SAME_TIME = 0.03
#: Times of a call [s] that loops of the collector are told apart by: it repeats a kernel at most 3,000 times.
LOOPS = [("below 0.1 ms", 0, 1e-4), ("0.1 to 0.3 ms", 1e-4, 3e-4), ("above 0.3 ms", 3e-4, np.inf)]


def with_watts(rows):
    """Return the rows of attention that have power readings."""
    measured = rows[rows["operator"].isin(["prefill", "decode"]) & (rows["watts"] > 0)]
    return measured.assign(cache=measured["cache"].astype(object).fillna(""))


def of_one_time(pairs):
    """Return the pairs of rows, with columns seconds_x and _y, whose times are nearly equal."""
    return pairs[np.abs(np.log(pairs["seconds_x"] / pairs["seconds_y"])) <= SAME_TIME]


def repeats(rows):
    """Return the kernels that were measured twice: columns of SIZES, seconds_x and _y, watts_x and _y."""
    measured = with_watts(rows)
    windows = measured[(measured["window"] > 0) & (measured["keys"] <= measured["window"])]
    return of_one_time(windows.merge(measured[measured["window"] == 0], on=SIZES))


def like_kernels(rows):
    """Return pairs of prefill kernels that do the same work in the same time: columns of WORK, and as `repeats`."""
    measured = with_watts(rows)
    measured = measured[measured["operator"] == "prefill"]
    pairs = measured.merge(measured, on=WORK)
    return of_one_time(pairs[pairs["kv_heads_x"] < pairs["kv_heads_y"]])


def scatter(pairs):
    """Return the median error of a single reading."""
    return float(np.median(np.abs(np.log(pairs["watts_x"] / pairs["watts_y"])))) / np.sqrt(2)


def predicted(rows):
    """Return the rows of attention whose watts trees predict, with their relative error `error`, shapes held out.

    Parameters
    ----------
    rows : pandas.DataFrame
        As written by dse_analysis.kernel_rows, with the column gpu.
    """
    found = []
    for part in fit_kernels.parts_of(rows[rows["operator"].isin(["prefill", "decode"])], releases=False):
        if part.times:
            continue
        # Both readings of a kernel are held out together, so that a prediction of one does not know the other.
        folds = fit_kernels.fold_of(part.rows.assign(window=0), part.kind)
        for device in part.rows["gpu"].unique():
            own = (part.rows["gpu"] == device).to_numpy()
            for fold in np.unique(folds[own]):
                train, test = own & (folds != fold), own & (folds == fold)
                if train.sum() > 100:
                    found.append(part.rows[test].assign(error=fit_kernels.errors_of(part, train, test)))
    return pd.concat(found, ignore_index=True)


def error_of_mean(pairs):
    """Return the median error of predictions against the (geometric) mean of both readings of a kernel."""
    return float(np.median(np.abs(np.exp((np.log1p(pairs["error_x"]) + np.log1p(pairs["error_y"])) / 2) - 1)))


def print_predicted(pairs):
    """Print the scatter of readings of each table beside the median error of their predictions, of one and of both readings."""
    for names, group in pairs.groupby(["operator", "gpu", "library", "release"]):
        errors = np.abs(np.concatenate([group["error_x"], group["error_y"]]))
        print(f"{' '.join(names):40} {len(group):5} pairs  one reading {scatter(group):6.1%}  predicted {np.median(errors):6.1%}"
              f"  mean of both {error_of_mean(group):6.1%}")


def beside(readings):
    """Return the readings before and after each row, in columns; nan beyond the ends of the table."""
    series = pd.Series(readings)
    return np.column_stack([series.shift(way * places) for places in NEIGHBOURS for way in (1, -1)])


def folded_error(features, target, folds):
    """Return the median error of rows predicted from those of other folds."""
    errors = np.empty(len(target))
    for fold in np.unique(folds):
        test = folds == fold
        errors[test] = fit_kernels.fit(features[~test], target[~test], WHOLE_TABLE).predict(features[test]) - target[test]
    return float(np.median(np.abs(np.exp(errors) - 1)))


def print_neighbours(rows):
    """Print for each table the errors of trees with heads held out, with rows held out, and with the readings beside these known."""
    print(f"{'':40} {'rows':>7} {'heads held out':>15} {'rows held out':>15} {'and neighbours':>15}")
    for names, table in with_watts(rows).groupby(["operator", "gpu", "library", "release"]):
        part = fit_kernels.Part(names[0], table.reset_index(drop=True), "power")
        at_random = np.random.default_rng(1).integers(0, fit_kernels.FOLDS, len(table))
        cases = ((part.features, fit_kernels.fold_of(part.rows, part.kind)), (part.features, at_random),
                 (np.column_stack([part.features, beside(part.target)]), at_random))
        cells = (f"{folded_error(features, part.target, folds):.1%}" for features, folds in cases)
        print(f"{' '.join(names):40} {len(table):7} " + " ".join(f"{cell:>15}" for cell in cells), flush=True)


@exit_code(ImportError)
def main(arguments=None):
    parser = argparse.ArgumentParser(prog="power_repeats", description="Show how far two power readings of one kernel are apart.")
    parser.add_argument("rows", help="CSV written by dse_analysis.kernel_rows (without --sample for all pairs)")
    parser.add_argument("--like", action="store_true", help="of prefill kernels that do the same work instead of the same kernel")
    parser.add_argument("--predicted", action="store_true", help="errors of predictions on the same readings; needs lightgbm")
    parser.add_argument("--neighbours", action="store_true", help="errors of trees that know the readings taken next; needs lightgbm")
    options = parser.parse_args(arguments)
    rows = pd.read_csv(options.rows, low_memory=False)
    if options.neighbours:
        print_neighbours(rows)
        return
    if options.predicted:
        print_predicted(repeats(predicted(rows)))
        return
    pairs = like_kernels(rows) if options.like else repeats(rows)
    print(f"{'':40} {'all':>15} " + " ".join(f"{name:>15}" for name, _, _ in LOOPS))
    for names, group in pairs.groupby(["operator", "gpu", "library", "release"]):
        parts = [group] + [group[(group["seconds_x"] >= low) & (group["seconds_x"] < high)] for _, low, high in LOOPS]
        cells = (f"{scatter(part):.1%} ({len(part)})" if len(part) >= 20 else "" for part in parts)
        print(f"{' '.join(names):40} " + " ".join(f"{cell:>15}" for cell in cells))


if __name__ == "__main__":
    sys.exit(main())
