"""Fit regression trees to measured kernels, for hardware/learned/ (compute model `learned`).

    python -m dse_analysis.kernel_rows KERNELS_FOLDER … --sample 1500 -o rows.csv
    python -m dse_analysis.fit_kernels rows.csv                      errors on held-out shapes
    python -m dse_analysis.fit_kernels rows.csv --left-out           errors on held-out devices
    python -m dse_analysis.fit_kernels rows.csv --bands              errors on held-out bands of sizes
    python -m dse_analysis.kernel_rows KERNELS_FOLDER … --watts -o watts.csv
    python -m dse_analysis.fit_kernels rows.csv --watts watts.csv --write hardware/learned

For each kind of kernel, a device's trees predict the factor by which a kernel exceeds a sum of costs
(dse_analysis.cost_sums) and, if rows have watts, the fraction of the power limit that it draws.
`--left-out` and the trees of GENERATIONS know a device only by its datasheet and its fastest matrix product.
A kind's own trees are fitted to one release of TensorRT-LLM and of vLLM (RELEASES); all other releases, and
SGLang, have trees of their own together (KIND_releases), with the release as a feature.
Needs lightgbm.
"""

import argparse
import pathlib
import re
import sys

import numpy as np
import pandas as pd

from dse_analysis.cost_sums import CostSums
from dse_analysis.kernel_bands import bands_of
from dse_analysis.kernel_features import FAMILIES_OF_RUNNERS, KINDS, LATENT_SHAPE, SHAPES, Kernels
from dse_analysis.script import exit_code

#: Rates of 16, 8 and 4 bits and of 8-bit integers [TFLOP/s], bandwidth [GB/s], multiprocessors, L2 cache
#: [MB], rates of the largest products [TFLOP/s], power limit [W]; as in hardware/devices. Compute
#: capability, cycle [ns] and share of the bandwidth, as in hardware/learned; efficiency.gemm, as in hardware/devices. For a
#: format that a device lacks, the rate is that of bf16; 0: no product of a format was measured.
DEVICES = {"a100_sxm": ((312, 312, 312, 624), 2039, 108, 40, (271.2, 0, 0, 542.4), 400, 8.0, 0.709, 0.867, 1),
           "h100_sxm": ((989, 1979, 989, 1979), 3350, 132, 50, (794.5, 1402.6, 0, 1402.6), 700, 9.0, 0.546, 0.949, 1),
           "h200_sxm": ((989, 1979, 989, 1979), 4800, 132, 50, (794.5, 1453.4, 0, 1453.4), 700, 9.0, 0.546, 0.949, 1),
           "b200_sxm": ((2250, 4500, 9000, 4500), 8000, 148, 126, (1745, 3432.5, 5320, 3432.5), 1000, 10.0, 0.539, 0.982, 1),
           "gb200": ((2500, 5000, 10000, 5000), 8000, 152, 126, (1822, 3615.6, 5600, 3615.6), 1200, 10.0, 0.498, 0.982, 1),
           "l40s": ((362.05, 733, 362.05, 733), 864, 142, 96, (283.9, 442.6, 0, 653), 350, 8.9, 0.397, 0.74, 0.9375),
           "b300_sxm": ((2250, 4500, 13500, 150), 8000, 148, 126, (1769, 3353, 6706, 0), 1100, 10.3, 0.539, 0.982, 1),
           "gb300": ((2500, 5000, 15000, 167), 8000, 152, 126, (1847, 3615.6, 7230, 0), 1400, 10.3, 0.498, 0.982, 1),
           "rtx_pro_6000_server": ((500, 1000, 2000, 500), 1597, 188, 128, (432, 823, 1525, 0), 600, 12.0, 0.412, 0.949, 1)}
#: Releases of TensorRT-LLM and vLLM that the own trees of a device's kinds stand for, as `releases` of its file in
#: hardware/learned: the newest when it was first fitted, in vLLM on H200, B200 and GB200 the one measured with power.
RELEASES = {name: {"trtllm": "1.3.0rc20", "vllm": "0.22.0" if name in ("h200_sxm", "b200_sxm", "gb200") else "0.24.0"}
            for name in DEVICES} | {"a100_sxm": {"trtllm": "1.0.0", "vllm": "0.14.0"}}
#: Files for devices without rows of their own, with the devices whose tensor cores take their operands in the same way:
#: from shared memory for a group of warps (wgmma), into memory of their own (tcgen05), or from the registers of a warp
#: (mma.sync). Libraries have kernels for each of the three, so that rows of such devices count more than others.
GENERATIONS = {"any_gpu": ("h100_sxm", "h200_sxm"),
               "any_gpu_tcgen05": ("b200_sxm", "gb200", "b300_sxm", "gb300"),
               "any_gpu_mma_sync": ("a100_sxm", "l40s", "rtx_pro_6000_server")}
#: As how many others a row of such a device may count, and as how many it does, by kind: that of WEIGHTS at which the median
#: errors of devices that are left out have the least mean. `--left-out` chooses it anew for each device, by the errors of the others.
WEIGHTS = (1.0, 4.0, 8.0, 16.0, 32.0, 64.0)
NEAR = {"gemm": 16.0, "prefill": 32.0, "decode": 16.0, "experts": 8.0, "latent_prefill": 8.0, "latent_decode": 32.0,
        "latent_prefill_block": 16.0, "latent_decode_block": 64.0}
#: Kinds that differ by release as much as by device: their fits to many devices use all releases. Those of the others use
#: the releases that devices' own trees stand for; SGLang's kernels are apart.
BY_RELEASE = {"gemm", "decode", "experts"}
#: Rows of each table that fits to many devices and releases use, and their parameters: what few rows say holds for their device alone.
MOST_OF_TABLE = 600
MANY_DEVICES = {"min_data_in_leaf": 20, "trees": 60}
#: Names of their files in hardware/learned, where they differ.
FILES = {"a100_sxm": "a100_80_sxm"}
FOLDS = 5
LEAF_UNIT = 1e-4
#: Logarithm of the bare form beyond that of the largest kernel over which a correction fades by e: a factor of four.
FADE = np.log(4)
#: LightGBM's parameters by kind of kernel, where a device has rows of its own. A product's time jumps with
#: the kernel that its library chooses for (n, k), which takes more leaves; the loss bounds outliers only.
FITS = {"gemm": {"objective": "huber", "alpha": 0.4, "num_leaves": 127, "max_depth": 12, "learning_rate": 0.15},
        "prefill": {"objective": "huber", "alpha": 0.4, "num_leaves": 63},
        "decode": {"objective": "huber", "alpha": 0.4, "num_leaves": 63},
        "experts": {"objective": "huber", "alpha": 0.2, "num_leaves": 63, "max_depth": 12, "learning_rate": 0.125, "trees": 120,
                    "bagging_fraction": 0.8, "bagging_freq": 1, "feature_fraction": 0.8}}
#: The same of trees for many releases, with fewer leaves: much of a release is in its weights of costs.
RELEASE_FITS = {kind: {"objective": "huber", "alpha": 0.4, "num_leaves": 63} for kind in ("gemm", "prefill", "decode", "experts")}
#: Fewest kernels for which a release of a kind is worth its place in a file.
LEAST_OF_RELEASE = 100
#: Numbers of a release; those that it does not state are 0.
MOST_NUMBERS = 16


def release_key(release):
    """Return what releases sort by: 0.9 is before 0.14, and 1.3.0rc20 before 1.3.0 (as model::release_before)."""
    parts = re.findall(r"\d+|[a-z]+", release)
    numbers = [int(part) if part.isdigit() else {"dev": -2, "rc": -1}.get(part) for part in parts]
    known = [number for number in numbers if number is not None]
    return known + [0] * (MOST_NUMBERS - len(known))


def own_release(usual, measured):
    """Return the release that stands for the usual one: itself, else the newest before it, else the oldest."""
    ordered = sorted(measured, key=release_key)
    before = [each for each in ordered if release_key(each) <= release_key(usual)]
    return before[-1] if before else ordered[0]


def own_rows(rows):
    """Return which rows of a kind are of the release that its device's own trees stand for."""
    own = np.zeros(len(rows), bool)
    for (device, library), group in rows.groupby(["gpu", "library"]):
        usual = RELEASES[device].get(library)
        if usual is not None:
            own |= ((rows["gpu"] == device) & (rows["library"] == library)
                    & (rows["release"] == own_release(usual, group["release"].unique()))).to_numpy()
    return own


def editions_of(rows):
    """Return the libraries with their releases that rows have, in order: their places are the numbers in files."""
    pairs = rows[["library", "release"]].drop_duplicates().itertuples(index=False)
    return sorted((tuple(pair) for pair in pairs), key=lambda pair: (pair[0], release_key(pair[1])))


def devices_of(rows):
    """Return the properties of each row's device that dse_analysis.kernel_features needs."""
    known = [DEVICES[name] for name in rows["gpu"]]
    rates = np.array([[rate * 1e12 * device[4][0] / device[0][0] for rate in device[0]] for device in known])
    measured = np.array([device[4] for device in known]) * 1e12
    memory, multiprocessors, cache, capability, cycle, loaded, left = (np.array([device[i] for device in known], float)
                                                                       for i in (1, 2, 3, 6, 7, 8, 9))
    return {"rates": rates, "products": np.where(measured > 0, measured, rates), "loaded": loaded, "memory": memory * 1e9 * left, "multiprocessors": multiprocessors, "cache": cache * 1e6,
            "capability": capability, "cycle": cycle * 1e-9}


def fold_of(rows, kind):
    """Return the number of the fold that each row is held out in, equal for all rows of a shape."""
    shapes = pd.util.hash_pandas_object(rows[SHAPES.get(kind, LATENT_SHAPE)].astype(str).agg("-".join, axis=1), index=False)
    return (shapes % FOLDS).to_numpy()


def distinct(features):
    """Return the features without differences by rounding, which no threshold of a file could tell apart."""
    return np.round(features, 5)


def fit(features, target, own, counts=None):
    """Return trees with parameters of their `own`; `counts` says as how many rows each row counts."""
    import lightgbm

    own = dict(own)
    trees = own.pop("trees", 80)
    parameters = {"objective": "l1", "learning_rate": 15 / 80, "num_leaves": 31, "min_data_in_leaf": 6, "max_bin": 200,
                  "num_threads": 1, "verbose": -1, "deterministic": True, "seed": 1, **own}
    return lightgbm.train(parameters, lightgbm.Dataset(distinct(features), target, weight=counts), trees)


def error_line(name, error):
    size = np.abs(error)
    return f"{name:32} {len(size):6} {np.median(size):8.1%} {size.mean():8.1%} {np.quantile(size, 0.9):8.1%} {np.median(error):8.1%}"


def counts_by_library(rows):
    """Return as how many rows each of a device's libraries counts, so that all count alike: tables differ in size by up to 50."""
    sizes = rows.groupby(["gpu", "library"])["seconds"].transform("size")
    of_device = rows.groupby("gpu")["seconds"].transform("size")
    return (of_device / rows.groupby("gpu")["library"].transform("nunique") / sizes).to_numpy()


class Part:
    """Rows of one kind of kernel with one quantity to learn: times, or power (`name` then ends with _power).

    With `editions`, they are of several releases (`name` then ends with _releases): the place of each among them is a
    further feature, and part of its family. With `many`, rows of many devices are of the family of what runs them (FAMILIES_OF_RUNNERS).
    """

    def __init__(self, kind, rows, what, editions=None, many=False):
        self.kind, self.rows, self.times, self.editions = kind, rows, what == "time", editions
        self.name = kind if self.times else f"{kind}_power"
        kernels = Kernels(rows, devices_of(rows))
        self.features, self.bare, self.costs, self.family = KINDS[kind](kernels)
        if editions is not None:
            self.name = f"{kind}_releases"
            numbers = np.array([editions.index(pair) for pair in zip(rows["library"], rows["release"])])
            self.features = np.column_stack([self.features, numbers])
            self.family = self.family + (numbers + 1) * kernels.families()
        if many and kind in FAMILIES_OF_RUNNERS:
            self.family = FAMILIES_OF_RUNNERS[kind](kernels)
        limit = np.array([DEVICES[name][5] for name in rows["gpu"]])
        self.target = np.log(rows["seconds"] if self.times else rows["watts"] / limit).to_numpy()
        self.counts = None if self.times else counts_by_library(rows)

    def some(self, chosen):
        return {name: values[chosen] for name, values in self.costs.items()}, self.family[chosen]


class Fitted:
    """What is learned of the `chosen` rows of a part: for times a sum of costs, and trees that correct it.

    With `near`, the devices that count `weight` times as much as others (default: NEAR), they are rows of many devices.
    """

    def __init__(self, part, chosen, near=(), weight=None):
        target, counts = part.target[chosen], None if part.counts is None else part.counts[chosen]
        parameters = FITS.get(part.name, {}) or RELEASE_FITS.get(part.name.removesuffix("_releases"), {})
        if near:
            parameters, counts = MANY_DEVICES, np.where(part.rows["gpu"].isin(near).to_numpy()[chosen], weight or NEAR[part.kind], 1.0)
        if part.times:
            self.sums = CostSums(part.kind, *part.some(chosen), part.rows["seconds"].to_numpy()[chosen], counts)
            self.largest = part.bare[chosen].max()
            target = target - self.sums.logarithm(*part.some(chosen))
        self.trees = fit(part.features[chosen], target, parameters, counts)

    def logarithm(self, part, chosen):
        """Return the logarithms of times or shares of power. Beyond the largest kernel, the correction fades."""
        correction = self.trees.predict(part.features[chosen])
        if not part.times:
            return correction
        fade = np.exp(-np.maximum(part.bare[chosen] - self.largest, 0) / FADE)
        return self.sums.logarithm(*part.some(chosen)) + correction * fade


def parts_of(rows, releases=True, watts=None):
    """Yield the parts of all kinds of kernels that were measured, with `releases` also those of other releases.

    Those of power are of the rows `watts` (default: of all rows that have readings).
    """
    known = rows[rows["gpu"].isin(list(DEVICES))]
    editions = editions_of(known)
    for kind in KINDS:
        of_kind = known[known["operator"] == kind].reset_index(drop=True)
        own = own_rows(of_kind)
        usual, others = of_kind[own].reset_index(drop=True), of_kind[~own]
        others = others[others.groupby(["gpu", "library", "release"])["seconds"].transform("size") >= LEAST_OF_RELEASE]
        # Power was read in one release of each library, which is not always the usual one.
        readings = of_kind if watts is None else watts[(watts["operator"] == kind) & watts["gpu"].isin(list(DEVICES))]
        measured = readings[readings["watts"].notna()].reset_index(drop=True)
        for what, chosen, of_releases in (("time", usual, None), ("power", measured, None), ("time", others.reset_index(drop=True), editions)):
            if not chosen.empty and (releases or of_releases is None):
                yield Part(kind, chosen, what, of_releases)


def parts_of_many_devices(rows):
    """Yield the times of each kind on all devices."""
    known = rows[rows["gpu"].isin(list(DEVICES))]
    editions = editions_of(known)
    for kind in KINDS:
        of_kind = known[known["operator"] == kind].reset_index(drop=True)
        if of_kind.empty:
            continue
        some = of_kind.sample(frac=1, random_state=1).groupby(["gpu", "library", "release"]).head(MOST_OF_TABLE).sort_index()
        if kind not in BY_RELEASE:
            yield Part(kind, of_kind[own_rows(of_kind)].reset_index(drop=True), "time", many=True)
            some = some[some["library"] == "sglang"]
        if not some.empty:
            # By what runs them, SGLang's kernels would answer for other libraries' releases.
            yield Part(kind, some.reset_index(drop=True), "time", editions, many=kind in BY_RELEASE)


def errors_of(part, train, test, near=(), weight=None):
    """Return the relative errors of the rows `test`, which are predicted from the rows `train`."""
    return np.exp(Fitted(part, train, near, weight).logarithm(part, test) - part.target[test]) - 1


def held_out_errors(rows, watts=None):
    """Print the errors of each kind on each device, with trees fitted to its other shapes, those of power also by library."""
    for part in parts_of(rows, watts=watts):
        folds, errors = fold_of(part.rows, part.kind), []
        for device in part.rows["gpu"].unique():
            own = (part.rows["gpu"] == device).to_numpy()
            held_out = [own & (folds == fold) for fold in range(FOLDS)
                        if (own & (folds == fold)).any() and (own & (folds != fold)).sum() > 100]
            errors.append(np.concatenate([errors_of(part, own & ~mask, mask) for mask in held_out]))
            print(error_line(f"{part.name} {device}", errors[-1]), flush=True)
            libraries = np.concatenate([part.rows["library"][mask] for mask in held_out])
            for library in [] if part.times else np.unique(libraries):
                print(error_line(f"{part.name} {device} {library}", errors[-1][libraries == library]), flush=True)
        print(error_line(part.name, np.concatenate(errors)), flush=True)


def weights_of_others(medians):
    """Return for each device the weight at which the errors of all others have the least mean.

    `medians` are median errors, with a row per device and a column per weight.
    """
    return {device: medians.drop(device).mean().idxmin() for device in medians.index}


def left_out_errors(rows):
    """Print the errors of each kind on each device, with trees fitted to all other devices.

    Errors are those of the releases that the device's own trees would stand for, at the weight of near devices that all other
    devices would choose, which is named.
    """
    for part in parts_of_many_devices(rows):
        usual, errors = own_rows(part.rows), {}
        if not usual.any():
            continue
        for device in part.rows["gpu"].unique():
            own = (part.rows["gpu"] == device).to_numpy()
            near = next(devices for devices in GENERATIONS.values() if device in devices)
            errors[device] = {weight: errors_of(part, ~own, own & usual, near, weight) for weight in WEIGHTS}
        medians = pd.DataFrame({device: {weight: np.median(np.abs(error)) for weight, error in of_device.items()}
                                for device, of_device in errors.items()}).T
        chosen = weights_of_others(medians)
        for device, weight in chosen.items():
            print(f"{error_line(f'{part.kind} without {device}', errors[device][weight])}  weight {weight:g}", flush=True)
        every = np.concatenate([errors[device][weight] for device, weight in chosen.items()])
        print(f"{error_line(part.kind, every)}  weight {medians.mean().idxmin():g} of all", flush=True)


def band_errors(rows):
    """Print the errors of each kind on each device in bands of sizes beyond those of all rows that it is fitted to."""
    for part in parts_of(rows, releases=False):
        if not part.times:
            continue
        for band, masks in bands_of(part.kind, part.rows):
            errors = []
            for device in part.rows["gpu"].unique():
                own = (part.rows["gpu"] == device).to_numpy()
                of_masks = [errors_of(part, own & ~mask, own & mask) for mask in masks(own)
                            if (own & mask).sum() >= 10 and (own & ~mask).sum() >= 200]
                if of_masks:
                    errors.append(np.concatenate(of_masks))
                    print(error_line(f"{part.name}, {band} {device}", errors[-1]), flush=True)
            if errors:
                print(error_line(f"{part.name}, {band}", np.concatenate(errors)), flush=True)


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


def own_lines(part, chosen):
    """Return the lines that name a part's releases where they are not the usual ones of its device."""
    if part.editions is not None or part.rows["gpu"][chosen].nunique() > 1:
        return []
    pairs = part.rows[["gpu", "library", "release"]][chosen].drop_duplicates().itertuples(index=False)
    return [f"own {library} {release}" for device, library, release in sorted(pairs) if RELEASES[device][library] != release]


def lines_of(part, chosen, fitted):
    """Return the lines of a kind. Trees of like depth are neighbours, since they are walked side by side."""
    trees = sorted((tree["tree_structure"] for tree in fitted.trees.dump_model()["tree_info"]), key=depth)
    features = part.features[chosen]
    values = [np.unique(column) for column in distinct(features).T]
    sums = [f"largest {fitted.largest:.6g}", *own_lines(part, chosen), *fitted.sums.lines()] if part.times else []
    return [f"kind {part.name} {features.shape[1]} 0", *sums] + ["tree " + " ".join(preorder(tree, values)) for tree in trees]


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


def write(rows, folder, watts=None):
    """Write one file of trees per device, and those of GENERATIONS, which are fitted to all devices; `watts` as in `parts_of`."""
    lines = {name: [] for name in (*DEVICES, *GENERATIONS)}
    releases = {name: set() for name in lines}

    def add(name, part, chosen, near=()):
        if chosen.sum() <= 100:
            return
        lines[name] += lines_of(part, chosen, Fitted(part, chosen, near))
        if part.editions is not None:
            releases[name] |= set(zip(part.rows["library"][chosen], part.rows["release"][chosen]))

    for part in parts_of(rows, watts=watts):
        for device in DEVICES:
            add(device, part, (part.rows["gpu"] == device).to_numpy())
    for part in parts_of_many_devices(rows):
        for name, near in GENERATIONS.items():
            add(name, part, np.ones(len(part.rows), bool), near)
    known = rows[rows["gpu"].isin(list(DEVICES))]
    editions, products = editions_of(known), known[known["operator"] == "gemm"]
    products = products[own_rows(products)]
    for device, content in lines.items():
        content += [f"release {editions.index(pair)} {pair[0]} {pair[1]}" for pair in sorted(releases[device], key=editions.index)]
        content += cast_lines(products[products["gpu"] == device] if device in DEVICES else products)
        if content:
            (pathlib.Path(folder) / f"{FILES.get(device, device)}.trees").write_text("\n".join(content) + "\n", encoding="utf-8")


@exit_code(ImportError)
def main(arguments=None):
    parser = argparse.ArgumentParser(prog="fit_kernels", description="Fit regression trees to measured kernels.")
    parser.add_argument("rows", help="CSV written by dse_analysis.kernel_rows")
    parser.add_argument("--left-out", action="store_true", help="errors on held-out devices instead of held-out shapes")
    parser.add_argument("--bands", action="store_true", help="errors on held-out bands of sizes instead of held-out shapes")
    parser.add_argument("--watts", help="CSV with the rows to fit power to (default: those of rows)")
    parser.add_argument("--write", metavar="FOLDER", help="instead write trees fitted to all rows")
    options = parser.parse_args(arguments)
    rows = pd.read_csv(options.rows, low_memory=False)
    watts = pd.read_csv(options.watts, low_memory=False) if options.watts else None
    if options.write:
        write(rows, options.write, watts)
        return
    print(f"{'':32} {'rows':>6} {'median':>8} {'mean':>8} {'p90':>8} {'bias':>8}")
    if options.left_out or options.bands:
        (left_out_errors if options.left_out else band_errors)(rows)
    else:
        held_out_errors(rows, watts)


if __name__ == "__main__":
    sys.exit(main())
