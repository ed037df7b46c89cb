"""Convert the kernel tables of ai-dynamo/aiconfigurator to the rows that `dse kernels` and `dse fit` read.

    python -m dse_analysis.kernel_rows FOLDER … --gpu h100_sxm -o h100.csv
    python -m dse_analysis.kernel_rows FOLDER … --sample 1500 -o rows.csv
    python -m dse_analysis.kernel_rows FOLDER … --watts -o watts.csv

A folder is upstream's systems/data (GPU/KIND/FRAMEWORK/VERSION/TABLE_perf.parquet), or contains tables of several
GPUs as .csv or .csv.gz, with an additional column `gpu`: gemm, context_attention, generation_attention, moe,
context_mla, generation_mla, mla_context_module and mla_generation_module. Of a table that an earlier folder has
(same GPU, kind, framework and version), rows are taken from that one.
"""

import argparse
import pathlib
import sys

import numpy as np
import pandas as pd

from dse_analysis.kernel_bands import work_of
from dse_analysis.script import exit_code

FORMATS = {"bfloat16": "bf16", "fp8": "fp8", "fp8_block": "fp8_block", "nvfp4": "nvfp4", "sq": "int8", "int8_wo": "int8_weight",
           "int4_wo": "int4_weight", "w4a16_mxfp4": "mxfp4_weight", "w4a8_mxfp4_mxfp8": "mxfp4_fp8"}


def tables(folder, name):
    """Yield the tables of a kind, with the columns of upstream's and `gpu`."""
    for suffix in (".csv", ".csv.gz"):
        path = pathlib.Path(folder) / (name + suffix)
        if path.exists():
            yield pd.read_csv(path)
            return
    paths = sorted(pathlib.Path(folder).glob(f"*/*/*/*/{name}_perf.parquet"))
    if not paths:
        raise FileNotFoundError(f"{folder}: neither {name}.csv, {name}.csv.gz nor GPU/KIND/FRAMEWORK/VERSION/{name}_perf.parquet")
    for path in paths:
        gpu, _, framework, version = path.parts[-5:-1]
        table = pd.read_parquet(path)
        known = {"gpu": gpu, "framework": framework, "version": version, "latency_s": table["latency"] / 1e3}
        if "power" in table:
            known["power_w"] = table["power"]
        if "window_size" not in table:
            known["window_size"] = 0
        yield table.assign(**known)


def common(table, operator, formats):
    """Return the columns that all kinds have."""
    return {"gpu": table["gpu"], "operator": operator, "library": table["framework"], "release": table["version"],
            "format": formats.map(FORMATS), "seconds": table["latency_s"], "watts": table.get("power_w", np.nan)}


def products(table):
    return pd.DataFrame({**common(table, "gemm", table["gemm_dtype"]), "m": table["m"], "n": table["n"], "k": table["k"]})


def attention(table, operator):
    heads = table["num_heads"]
    cached = table["num_key_value_heads"].where(table["num_key_value_heads"] > 0, heads)
    formats = table["attn_dtype"] if operator == "prefill" else pd.Series("bfloat16", table.index)
    return pd.DataFrame({**common(table, operator, formats), "batch": table["batch_size"], "heads": heads, "kv_heads": cached,
                         "head_dim": table["head_dim"], "window": table["window_size"], "queries": table["isl"],
                         "keys": table["isl"] + table["step"] if operator == "prefill" else table["step"] + 1,
                         "cache": table["kv_cache_dtype"].map(FORMATS)})


def latent(table, operator):
    formats = table["gemm_type"] if "gemm_type" in table else pd.Series("bfloat16", table.index)
    prefill = operator.startswith("latent_prefill")
    return pd.DataFrame({**common(table, operator, formats), "batch": table["batch_size"], "heads": table["num_heads"],
                         "queries": table["isl"] if prefill else 1,
                         "keys": table["isl"] + table["step"] if prefill else table["step"] + 1,
                         "cache": table["kv_cache_dtype"].map(FORMATS)})


def experts(table):
    kernels = table["kernel_source"].astype(str)
    return pd.DataFrame({**common(table, "experts", table["moe_dtype"]), "tokens": table["num_tokens"], "hidden": table["hidden_size"],
                         "inner": table["inter_size"], "choices": table["topk"], "experts": table["num_experts"],
                         "tensor_ranks": table["moe_tp_size"], "expert_ranks": table["moe_ep_size"], "load": table["distribution"],
                         "gated": np.where(kernels.str.contains("nongated"), "no", "yes"),
                         "low_latency": np.where(kernels.str.contains("min_lat"), "yes", "no")})


#: Functions that convert a table, and the operator that its rows have.
TABLES = {"gemm": (products, "gemm"),
          "context_attention": (lambda table: attention(table, "prefill"), "prefill"),
          "generation_attention": (lambda table: attention(table, "decode"), "decode"),
          "moe": (experts, "experts"),
          "context_mla": (lambda table: latent(table, "latent_prefill"), "latent_prefill"),
          "generation_mla": (lambda table: latent(table, "latent_decode"), "latent_decode"),
          "mla_context_module": (lambda table: latent(table, "latent_prefill_block"), "latent_prefill_block"),
          "mla_generation_module": (lambda table: latent(table, "latent_decode_block"), "latent_decode_block")}
#: What rows of one table have in common.
ORIGIN = ["gpu", "operator", "library", "release"]


def usable(rows):
    """Return the rows that dse kernels can read: some tables hold formats, loads and sizes that it has no word for."""
    known = rows["format"].notna() & (rows["seconds"] > 0)
    if "m" in rows:
        known &= rows["m"] > 0
    if "load" in rows:
        known &= rows["load"].isin(["balanced", "power_law_1.01", "power_law_1.2"])
    return rows[known]


def sampled(rows, kind, most):
    """Return at most about `most` rows of each table: as many of each format, spread over the powers of two of the work."""
    chosen = []
    for _, table in rows.groupby(ORIGIN, sort=False):
        share = most // table["format"].nunique()
        for _, of_format in table.groupby("format"):
            size = np.floor(np.log2(np.maximum(work_of(kind, of_format), 1)))
            counts = size.value_counts().to_numpy()
            level = max((n for n in range(1, share + 1) if np.minimum(counts, n).sum() <= share), default=1)
            mixed = of_format.sample(frac=1, random_state=1)
            chosen.append(mixed[mixed.groupby(size[mixed.index]).cumcount() < level])
    return pd.concat(chosen).sort_index()


def all_rows(folder, most=0, watts=False):
    """Return the concatenated rows of all tables in a folder, `most` of each (0: all); with `watts`, those with power readings."""
    rows = []
    for name, (convert, operator) in TABLES.items():
        for table in tables(folder, name):
            converted = usable(convert(table))
            if watts:
                converted = converted[converted["watts"] > 0]
            if not converted.empty:
                rows.append(sampled(converted, operator, most) if most else converted)
    return pd.concat(rows, ignore_index=True)


def rows_of(folders, most=0, watts=False):
    """Return the rows of several folders; of a table that several have, those of the first. Others as `all_rows`."""
    rows = all_rows(folders[0], watts=watts)
    for folder in folders[1:]:
        more = all_rows(folder, most, watts)
        rows = pd.concat([rows, more[~more.set_index(ORIGIN).index.isin(rows.set_index(ORIGIN).index)]], ignore_index=True)
    return rows


@exit_code()
def main(arguments=None):
    parser = argparse.ArgumentParser(prog="kernel_rows", description="Kernel tables as rows for dse kernels.")
    parser.add_argument("folders", nargs="+", metavar="FOLDER", help="folder of the tables")
    parser.add_argument("--sample", type=int, default=0, metavar="N",
                        help="at most N rows of each table of the folders after the first (default: all)")
    parser.add_argument("--watts", action="store_true", help="only rows with power readings")
    parser.add_argument("--gpu", help="only rows of this device (default: all, with a column gpu)")
    parser.add_argument("-o", "--output", required=True, help="CSV to write")
    options = parser.parse_args(arguments)
    rows = rows_of(options.folders, options.sample, options.watts)
    if options.gpu:
        rows = rows[rows["gpu"] == options.gpu].drop(columns="gpu").dropna(axis="columns", how="all")
        if rows.empty:
            raise ValueError(f"{', '.join(options.folders)}: no row of {options.gpu}")
    rows.to_csv(options.output, index=False, float_format="%.9g")


if __name__ == "__main__":
    sys.exit(main())
