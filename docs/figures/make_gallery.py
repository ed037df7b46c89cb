"""Draw the pictures of docs/gallery.md: python docs/figures/make_gallery.py [DSE] [NAME ...], with analysis/ on PYTHONPATH.

Runs the shipped sweep of each question, a few seconds each, and draws the best value of one metric over one
axis, with a line for each value of another.
"""

import pathlib
import subprocess
import sys
import tempfile

import matplotlib
import matplotlib.ticker

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from dse_analysis import read_results

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "figures" / "gallery"
MARKERS = "os^Dv"
# Okabe and Ito's colours, told apart by the colour-blind, without their yellow.
COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000"]


def picture(x, y, series, labels, *, best="min", scale=1.0, log_x=False, log_y=False, where=None, names=None):
    """Return what one picture shows.

    labels: of x, y and the series. best: "min" or "max" of y over everything that is not shown. scale: y is divided by it.
    where: a pandas query that chooses rows. names: a text for each value of the series.
    """
    return {"x": x, "y": y, "series": series, "labels": labels, "best": best, "scale": scale, "log_x": log_x, "log_y": log_y,
            "where": where, "names": names or {}}


PICTURES = {
    "chip_area": picture("stacks", "usd_per_mtoken", "mode", ("stacks of HBM3 on a die of 814 mm2", "USD per million tokens", "64 chips"),
                         where="die == 814 and (mode != 'decode' or time_per_output_token <= 0.05)", log_y=True),
    "mixtral_8x7b": picture("ep", "iteration_time", "imbalance",
                            ("expert parallelism", "fastest iteration (s)", "router"), log_x=True, where="ep > 1"),
    "llama3_8b_long_context": picture("cp", "iteration_time", "cp_attention",
                                      ("context parallelism", "fastest iteration (s)", "attention across ranks"), log_x=True,
                                      where="cp > 1"),
    "llama3_405b_failures": picture("checkpoint_interval", "effective_tokens_per_second", "devices",
                                    ("seconds between checkpoints", "effective tokens per second (million)", "devices"),
                                    best="max", scale=1e6, log_x=True),
    "dlrm": picture("devices", "samples_per_second", "global_batch", ("H100s", "samples per second (million)", "global batch"),
                    best="max", scale=1e6, log_x=True, where="cluster == 'h100_ndr400'"),
    "fabric_8b": picture("cluster.network.scale_out.oversubscription", "iteration_time", "cluster.network.topology.kind",
                         ("oversubscription of the core", "fastest iteration (s)", "topology")),
    "gather_order": picture("cluster.network.scale_up.bandwidth", "iteration_time", "collective_order",
                            ("bandwidth per device (GB/s)", "iteration (ms)", "gather parameters"), scale=1e-3, log_x=True,
                            log_y=True, where="ir == 'torch/llama3_8b_fsdp8_short.fx.gz'"),
    "llama3_70b_serving": picture("tp", "max_request_rate", "cluster",
                                  ("tensor parallelism", "highest request rate (1/s)", "eight devices"), best="max",
                                  where="`slo.ttft_p99` < 2", names={"h100_ndr400": "H100", "dgx_b200": "B200"}, log_x=True),
    "llama3_70b_pools": picture("pools.prefill.tp", "max_request_rate", "pools.decode.tp",
                                ("tensor parallelism of prefill (B200)", "highest request rate (1/s)",
                                 "tensor parallelism of decode (H100)"), best="max", log_x=True),
    "llama3_70b_inference": picture("global_batch", "tokens_per_second_per_device", "tp",
                                    ("concurrent requests on 16 H100s", "tokens per second per device", "tensor parallelism"), best="max",
                                    log_x=True, log_y=True),
    "llama3_70b_conversations": picture("serving.host_cache", "max_request_rate", "serving.router",
                                        ("host memory of a device for its cache (GiB)", "highest request rate (1/s)", "router"),
                                        best="max"),
    "llama3_70b_speculative": picture("traffic.clients", "output_tokens_per_second_per_device", "serving.speculative",
                                      ("clients", "output tokens per second per device", "speculative decoding"), best="max",
                                      log_x=True, names={"none": "off", "draft": "draft model"}),
}
# Axis values in the unit of their label.
X_UNITS = {"serving.host_cache": 2**30, "cluster.network.scale_up.bandwidth": 1e9}


def results_of(dse, name, folder):
    results = pathlib.Path(folder) / f"{name}.h5"
    subprocess.run([dse, ROOT / "sweeps" / f"{name}.yaml", "-o", results, "--progress", "none"], check=True,
                   stdout=subprocess.DEVNULL)
    return read_results(results)


def lines_of(table, wanted):
    """Return {value of the series: best y by x}."""
    good = table[table.status == "ok"]
    if wanted["where"]:
        good = good.query(wanted["where"])
    best = good.groupby([wanted["series"], wanted["x"]], observed=True)[wanted["y"]].agg(wanted["best"]) / wanted["scale"]
    return {value: best[value] for value in best.index.get_level_values(0).unique()}


def text_of(value):
    return str(value) if isinstance(value, str) else f"{value:,.0f}"


def ticks(axes, values):
    """Label the values that the axis has, thinned where they would touch."""
    shown = values if len(values) <= 8 else values[::2]
    axes.set_xticks(shown, [f"{value:g}" for value in shown])
    axes.set_xticks([], minor=True)


def draw(table, wanted, path):
    figure, axes = plt.subplots(figsize=(4.6, 3.2), layout="constrained")
    unit = X_UNITS.get(wanted["x"], 1.0)
    for number, (value, line) in enumerate(lines_of(table, wanted).items()):
        axes.plot([x / unit for x in line.index], line.to_numpy(), marker=MARKERS[number], color=COLORS[number],
                  linewidth=1.2, markersize=5, label=wanted["names"].get(value, text_of(value)))
    if wanted["log_x"]:
        axes.set_xscale("log", base=2)
    ticks(axes, sorted({x for line in axes.lines for x in line.get_xdata()}))
    axes.set(xlabel=wanted["labels"][0], ylabel=wanted["labels"][1])
    if wanted["log_y"]:
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
    elif 2 * min(y for line in axes.lines for y in line.get_ydata()) < axes.get_ylim()[1]:
        axes.set_ylim(bottom=0)
    axes.grid(color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    # Above the picture, where it covers no line.
    figure.legend(title=wanted["labels"][2], loc="outside upper center", ncols=5, fontsize=8, title_fontsize=8, frameon=False,
                  columnspacing=1.2, handletextpad=0.4)
    figure.savefig(path, dpi=110, metadata={"Software": None})
    plt.close(figure)


def main():
    dse, *names = sys.argv[1:] or ["dse"]
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in names or PICTURES:
            draw(results_of(dse, name, folder), PICTURES[name], FOLDER / f"{name}.png")
            print(FOLDER / f"{name}.png")


if __name__ == "__main__":
    main()
