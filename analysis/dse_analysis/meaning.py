"""Meaning of metrics: what they are parts of, and whether more is better."""

# Metrics of the parts of an iteration, with the name, colour and hatch shown to the reader. Hatches
# distinguish the parts in greyscale prints.
PARTS = {
    "compute_time": ("compute", "#0072B2", ""),
    "exposed_tp": ("exposed TP", "#E69F00", "/"),
    "exposed_cp": ("exposed CP", "#7A5195", "x"),
    "exposed_ep": ("exposed EP", "#CC79A7", "."),
    "exposed_dp": ("exposed DP", "#D55E00", "\\"),
    "exposed_pp": ("exposed PP", "#009E73", "|"),
    "bubble": ("pipeline bubble", "#999999", "-"),
    "imbalance": ("imbalance", "#56B4E9", "+"),  # only in files of version 1
    "idle": ("idle", "#1A1A1A", ""),
}

# Metrics of the parts of memory_peak, in the same form.
MEMORY_PARTS = {
    "memory_parameters": ("parameters", "#0072B2", ""),
    "memory_gradients": ("gradients", "#56B4E9", "/"),
    "memory_optimizer": ("optimizer", "#1A1A1A", ""),
    "memory_activations": ("activations", "#E69F00", "\\"),
    "memory_communication": ("communication", "#CC79A7", "."),
    "memory_workspace": ("workspace", "#999999", "-"),
    "memory_kv_cache": ("KV cache", "#009E73", "x"),
}

# Metrics that say most about a point of training, or about a deployment that answers requests.
OF_STEPS = ("mfu", "tokens_per_second_per_device", "memory_peak")
OF_REQUESTS = ("ttft_p99", "tpot_p99", "slo_attainment", "output_tokens_per_second_per_device")


def usual_metrics(table):
    """Return the names of the metrics to show beside the objectives, of those that the table has."""
    of_requests = "ttft_p99" in table and table["ttft_p99"].notna().any()
    return [name for name in (OF_REQUESTS if of_requests else OF_STEPS) if name in table]


MORE_IS_BETTER = ("mfu", "tokens_per_second", "tokens_per_second_per_device", "samples_per_second",
                  "requests_per_second", "batch_limit")
