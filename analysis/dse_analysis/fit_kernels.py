"""Fit regression trees to measured kernels, for hardware/learned/ (compute model `learned`).

    python -m dse_analysis.kernel_rows KERNELS_FOLDER -o rows.csv
    python -m dse_analysis.fit_kernels rows.csv                      errors on held-out shapes
    python -m dse_analysis.fit_kernels rows.csv --left-out           errors on held-out devices
    python -m dse_analysis.fit_kernels rows.csv --write hardware/learned

For each kind of kernel, a device's trees predict the factor by which a kernel exceeds the bare form of
dse_analysis.kernel_features and, if rows have watts, the fraction of the power limit that it draws.
`--left-out` and the trees of `any_gpu` know a device only by its datasheet and its fastest matrix product.
Needs lightgbm.
"""

import argparse
import pathlib
import sys

import numpy as np
import pandas as pd

from dse_analysis.kernel_features import KINDS, LATENT_SHAPE, SHAPES, Kernels
from dse_analysis.script import exit_code

#: Rates of 16, 8 and 4 bits and of 8-bit integers [TFLOP/s], bandwidth [GB/s], multiprocessors, L2 cache
#: [MB], rate of the fastest matrix product over the peak, power limit [W]; as in hardware/devices. Compute
#: capability and cycle [ns] (read only before 9.0), as in hardware/learned. For a format that a device
#: lacks, the rate is that of bf16.
DEVICES = {"a100_sxm": ((312, 312, 312, 624), 2039, 108, 40, 271.2 / 312, 400, 8.0, 0.709),
           "h100_sxm": ((989, 1979, 989, 1979), 3350, 132, 50, 794.5 / 989, 700, 9.0, 0),
           "h200_sxm": ((989, 1979, 989, 1979), 4800, 132, 50, 794.5 / 989, 700, 9.0, 0),
           "b200_sxm": ((2250, 4500, 9000, 4500), 8000, 148, 126, 1745 / 2250, 1000, 10.0, 0),
           "gb200": ((2500, 5000, 10000, 5000), 8000, 152, 126, 1822 / 2500, 1200, 10.0, 0),
           "l40s": ((362.05, 733, 362.05, 733), 864, 142, 96, 283.9 / 362.05, 350, 8.9, 0.397)}
FOLDS = 5
LEAF_UNIT = 1e-4
#: LightGBM's parameters by kind of kernel, where a device has rows of its own. A product's time jumps with
#: the kernel that its library chooses for (n, k), which takes more leaves; the loss bounds outliers only.
FITS = {"gemm": {"objective": "huber", "alpha": 0.4, "num_leaves": 127, "max_depth": 12, "learning_rate": 0.15},
        "experts": {"objective": "huber", "alpha": 0.2, "num_leaves": 63, "max_depth": 12, "learning_rate": 0.125, "trees": 120,
                    "bagging_fraction": 0.8, "bagging_freq": 1, "feature_fraction": 0.8}}


def devices_of(rows):
    """Return the properties of each row's device that dse_analysis.kernel_features needs."""
    known = [DEVICES[name] for name in rows["gpu"]]
    rates = np.array([[rate * 1e12 * device[4] for rate in device[0]] for device in known])
    memory, multiprocessors, cache, capability, cycle = (np.array([device[i] for device in known], float) for i in (1, 2, 3, 6, 7))
    return {"rates": rates, "memory": memory * 1e9, "multiprocessors": multiprocessors, "cache": cache * 1e6,
            "capability": capability, "cycle": cycle * 1e-9}


def fold_of(rows, kind):
    """Return the number of the fold that each row is held out in, equal for all rows of a shape."""
    shapes = pd.util.hash_pandas_object(rows[SHAPES.get(kind, LATENT_SHAPE)].astype(str).agg("-".join, axis=1), index=False)
    return (shapes % FOLDS).to_numpy()


def distinct(features):
    """Return the features without differences by rounding, which no threshold of a file could tell apart."""
    return np.round(features, 5)


def fit(features, target, kind=""):
    """Return trees of a kind of kernel; without a kind, with parameters that suit devices left out."""
    import lightgbm

    own = dict(FITS.get(kind, {}))
    trees = own.pop("trees", 80)
    parameters = {"objective": "l1", "learning_rate": 15 / 80, "num_leaves": 31, "min_data_in_leaf": 6, "max_bin": 200,
                  "num_threads": 1, "verbose": -1, "deterministic": True, "seed": 1, **own}
    return lightgbm.train(parameters, lightgbm.Dataset(distinct(features), target), trees)


def error_line(name, error):
    size = np.abs(error)
    return f"{name:32} {len(size):6} {np.median(size):8.1%} {size.mean():8.1%} {np.quantile(size, 0.9):8.1%} {np.median(error):8.1%}"


def target_of(rows, bare, what):
    """Return the logarithms that trees learn: of time over the bare form, or of watts over the limit."""
    if what == "time":
        return np.log(rows["seconds"].to_numpy()) - bare
    return np.log(rows["watts"].to_numpy() / np.array([DEVICES[name][5] for name in rows["gpu"]]))


def parts_of(rows):
    """Yield, for every kind of kernel and each quantity to learn: (name, kind, rows, features, target)."""
    for kind, features_of in KINDS.items():
        of_kind = rows[rows["operator"] == kind].reset_index(drop=True)
        for what, chosen in (("time", of_kind), ("power", of_kind[of_kind["watts"].notna()].reset_index(drop=True))):
            if not chosen.empty:
                features, bare = features_of(Kernels(chosen, devices_of(chosen)))
                yield kind + ("_power" if what == "power" else ""), kind, chosen, features, target_of(chosen, bare, what)


def held_out_errors(rows):
    """Print the errors of each kind on each device, with trees fitted to its other shapes."""
    for name, kind, chosen, features, target in parts_of(rows):
        folds, errors = fold_of(chosen, kind), []
        for device in chosen["gpu"].unique():
            own = (chosen["gpu"] == device).to_numpy()
            error = np.full(len(chosen), np.nan)
            for fold in range(FOLDS):
                train, test = own & (folds != fold), own & (folds == fold)
                if test.any() and train.sum() > 100:
                    error[test] = np.exp(fit(features[train], target[train], name).predict(features[test]) - target[test]) - 1
            errors.append(error[own & ~np.isnan(error)])
            print(error_line(f"{name} {device}", errors[-1]), flush=True)
        print(error_line(name, np.concatenate(errors)), flush=True)


def left_out_errors(rows):
    """Print the errors of each kind on each device, with trees fitted to all other devices."""
    for name, _, chosen, features, target in parts_of(rows):
        if name.endswith("_power"):
            continue
        errors = []
        for device in chosen["gpu"].unique():
            own = (chosen["gpu"] == device).to_numpy()
            errors.append(np.exp(fit(features[~own], target[~own]).predict(features[own]) - target[own]) - 1)
            print(error_line(f"{name} without {device}", errors[-1]), flush=True)
        print(error_line(name, np.concatenate(errors)), flush=True)


def split_text(below, above):
    """Return the shortest decimal number in the middle half between two neighbouring values of a feature."""
    middle, slack = (below + above) / 2, (above - below) / 4
    texts = (f"{middle:.{digits}g}" for digits in range(1, 9))
    return next((text for text in texts if abs(float(text) - middle) <= slack), f"{middle:.9g}")


def preorder(node, values):
    """Return the nodes of LightGBM's tree in the form that LearnedSpec reads.

    `values` are the sorted values of each feature in training.
    """
    if "leaf_value" in node:
        return [f"{node['leaf_value'] / LEAF_UNIT:.0f}"]
    feature = node["split_feature"]
    above = np.searchsorted(values[feature], node["threshold"], side="right")
    split = f"{feature}:{split_text(*values[feature][above - 1:above + 1])}"
    return [split] + preorder(node["left_child"], values) + preorder(node["right_child"], values)


def depth(node):
    return 0 if "leaf_value" in node else 1 + max(depth(node["left_child"]), depth(node["right_child"]))


def lines_of(name, features, booster):
    """Return the lines of a kind. Trees of like depth are neighbours, since they are walked side by side."""
    trees = sorted((tree["tree_structure"] for tree in booster.dump_model()["tree_info"]), key=depth)
    values = [np.unique(column) for column in distinct(features).T]
    return [f"kind {name} {features.shape[1]} 0"] + ["tree " + " ".join(preorder(tree, values)) for tree in trees]


def cast_time(rows):
    """Return how much longer small products take in fp8 than in bf16 [s]; nan with fewer than 20 pairs.

    TensorRT-LLM's rows in fp8 contain two kernels for the scale of the activations, and one that applies it.
    Products of few operands take the same time in both formats, so that their difference is that of casts.
    """
    small = rows[(rows["operator"] == "gemm") & (rows["library"] == "trtllm") & (rows["n"] * rows["k"] <= 1e6) & (rows["m"] <= 64)]
    wide, narrow = (small[small["format"] == name].set_index(["m", "n", "k"])["seconds"] for name in ("bf16", "fp8"))
    longer = (narrow.groupby(level=[0, 1, 2]).median() - wide.groupby(level=[0, 1, 2]).median()).dropna()
    return longer.median() if len(longer) >= 20 else np.nan


def cast_lines(rows):
    """Return the lines of a kind without trees: its bias is the answer for all shapes."""
    time = cast_time(rows)
    return [] if np.isnan(time) else [f"kind gemm_fp8_cast 1 {np.log(time):.4f}"]


def write(rows, folder):
    """Write one file of trees per device, and any_gpu.trees, which is fitted to all devices."""
    lines = {name: [] for name in (*DEVICES, "any_gpu")}
    for name, _, chosen, features, target in parts_of(rows):
        for device in lines:
            own = (chosen["gpu"] == device).to_numpy() if device in DEVICES else np.ones(len(chosen), bool)
            if own.sum() > 100 and not (device == "any_gpu" and name.endswith("_power")):
                booster = fit(features[own], target[own], name if device in DEVICES else "")
                lines[device] += lines_of(name, features[own], booster)
    for device, content in lines.items():
        content += cast_lines(rows[rows["gpu"] == device] if device in DEVICES else rows)
        if content:
            (pathlib.Path(folder) / f"{device}.trees").write_text("\n".join(content) + "\n", encoding="utf-8")


@exit_code(ImportError)
def main(arguments=None):
    parser = argparse.ArgumentParser(prog="fit_kernels", description="Fit regression trees to measured kernels.")
    parser.add_argument("rows", help="CSV written by dse_analysis.kernel_rows")
    parser.add_argument("--left-out", action="store_true", help="errors on held-out devices instead of held-out shapes")
    parser.add_argument("--write", metavar="FOLDER", help="instead write trees fitted to all rows")
    options = parser.parse_args(arguments)
    rows = pd.read_csv(options.rows, low_memory=False)
    if options.write:
        write(rows, options.write)
        return
    print(f"{'':32} {'rows':>6} {'median':>8} {'mean':>8} {'p90':>8} {'bias':>8}")
    (left_out_errors if options.left_out else held_out_errors)(rows)


if __name__ == "__main__":
    sys.exit(main())
