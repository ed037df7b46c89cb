"""Convert the kernel tables of ai-dynamo/aiconfigurator to the rows that `dse kernels` and `dse fit` read.

    python -m dse_analysis.kernel_rows KERNELS_FOLDER --gpu h100_sxm -o h100.csv

The folder contains gemm, context_attention, generation_attention, moe, context_mla, generation_mla,
mla_context_module and mla_generation_module, as .csv or .csv.gz, with the columns of the upstream tables and
an additional column `gpu`.
"""

import argparse
import pathlib
import sys

import numpy as np
import pandas as pd

from dse_analysis.script import exit_code

FORMATS = {"bfloat16": "bf16", "fp8": "fp8", "fp8_block": "fp8_block", "nvfp4": "nvfp4", "sq": "int8", "int8_wo": "int8_weight",
           "int4_wo": "int4_weight", "w4a16_mxfp4": "mxfp4_weight", "w4a8_mxfp4_mxfp8": "mxfp4_fp8"}


def read(folder, name):
    for suffix in (".csv", ".csv.gz"):
        path = pathlib.Path(folder) / (name + suffix)
        if path.exists():
            return pd.read_csv(path)
    raise FileNotFoundError(f"{folder}: neither {name}.csv nor {name}.csv.gz")


def common(table, operator, formats):
    """Return the columns that all kinds have."""
    return {"gpu": table["gpu"], "operator": operator, "library": table["framework"], "format": formats.map(FORMATS),
            "seconds": table["latency_s"], "watts": table.get("power_w", np.nan)}


def products(folder):
    table = read(folder, "gemm")
    return pd.DataFrame({**common(table, "gemm", table["gemm_dtype"]), "m": table["m"], "n": table["n"], "k": table["k"]})


def attention(folder, name, operator):
    table = read(folder, name)
    heads = table["num_heads"]
    cached = table["num_key_value_heads"].where(table["num_key_value_heads"] > 0, heads)
    formats = table["attn_dtype"] if operator == "prefill" else pd.Series("bfloat16", table.index)
    return pd.DataFrame({**common(table, operator, formats), "batch": table["batch_size"], "heads": heads, "kv_heads": cached,
                         "head_dim": table["head_dim"], "window": table["window_size"], "queries": table["isl"],
                         "keys": table["isl"] + table["step"] if operator == "prefill" else table["step"] + 1,
                         "cache": table["kv_cache_dtype"].map(FORMATS)})


def latent(folder, name, operator):
    table = read(folder, name)
    formats = table["gemm_type"] if "gemm_type" in table else pd.Series("bfloat16", table.index)
    prefill = operator.startswith("latent_prefill")
    return pd.DataFrame({**common(table, operator, formats), "batch": table["batch_size"], "heads": table["num_heads"],
                         "queries": table["isl"] if prefill else 1,
                         "keys": table["isl"] + table["step"] if prefill else table["step"] + 1,
                         "cache": table["kv_cache_dtype"].map(FORMATS)})


def experts(folder):
    table = read(folder, "moe")
    kernels = table["kernel_source"].astype(str)
    return pd.DataFrame({**common(table, "experts", table["moe_dtype"]), "tokens": table["num_tokens"], "hidden": table["hidden_size"],
                         "inner": table["inter_size"], "choices": table["topk"], "experts": table["num_experts"],
                         "tensor_ranks": table["moe_tp_size"], "expert_ranks": table["moe_ep_size"], "load": table["distribution"],
                         "gated": np.where(kernels.str.contains("nongated"), "no", "yes"),
                         "low_latency": np.where(kernels.str.contains("min_lat"), "yes", "no")})


def all_rows(folder):
    """Return the concatenated rows of all tables in a folder."""
    tables = [products(folder), attention(folder, "context_attention", "prefill"),
              attention(folder, "generation_attention", "decode"), experts(folder),
              latent(folder, "context_mla", "latent_prefill"), latent(folder, "generation_mla", "latent_decode"),
              latent(folder, "mla_context_module", "latent_prefill_block"),
              latent(folder, "mla_generation_module", "latent_decode_block")]
    return pd.concat(tables, ignore_index=True)


@exit_code()
def main(arguments=None):
    parser = argparse.ArgumentParser(prog="kernel_rows", description="Kernel tables as rows for dse kernels.")
    parser.add_argument("folder", help="folder of the tables")
    parser.add_argument("--gpu", help="only rows of this device (default: all, with a column gpu)")
    parser.add_argument("-o", "--output", required=True, help="CSV to write")
    options = parser.parse_args(arguments)
    rows = all_rows(options.folder)
    if options.gpu:
        rows = rows[rows["gpu"] == options.gpu].drop(columns="gpu").dropna(axis="columns", how="all")
        if rows.empty:
            raise ValueError(f"{options.folder}: no row of {options.gpu}")
    rows.to_csv(options.output, index=False, float_format="%.9g")


if __name__ == "__main__":
    sys.exit(main())
