"""Measure the kernels of one GPU with PyTorch, for `dse fit` and for `table:` of a device.

    python profile_gpu.py -o my_gpu                     # my_gpu.kernels.csv and my_gpu.table.csv, about twenty minutes
    dse fit DEVICE --gemm my_gpu.kernels.csv -o my_gpu.yaml

`kernels` holds products, attention in prefill and decode, and element-wise sums; `table` the classes of operators that
are charged by their bytes: element-wise, normalization, softmax, embedding, loss, optimizer. Times are medians of
warm calls, launched ahead so that the host hides. Needs PyTorch and nothing else of this project.
"""

import argparse
import csv
import itertools
import statistics
import sys
import time

import torch
from torch.nn import functional

FULL = {"products": [1, 16, 64, 256, 1024, 4096, 8192],
        "weights": [(1024, 1024), (4096, 4096), (14336, 4096), (4096, 14336), (8192, 8192), (28672, 8192), (128256, 4096), (2048, 512)],
        "lengths": [512, 1024, 2048, 4096, 8192, 16384],
        "heads": [(32, 8, 128), (32, 32, 128), (64, 8, 128), (16, 16, 64), (16, 4, 256)],
        "rows": [256, 1024, 4096, 16384], "widths": [1024, 4096, 8192, 16384], "vocabulary": 128256, "tokens": 8192}
QUICK = {"products": [1, 16], "weights": [(64, 32)], "lengths": [16, 32], "heads": [(4, 2, 32)], "rows": [4, 8], "widths": [32, 64],
         "vocabulary": 100, "tokens": 64}


class Clock:
    """Median seconds of a call."""

    def __init__(self, device, calls):
        self.device, self.calls = device, calls

    def __call__(self, action):
        for _ in range(3):
            action()
        return (self.on_gpu if self.device.type == "cuda" else self.on_host)(action)

    def on_gpu(self, action):
        # Several calls between two events: events alone take as long as a short kernel.
        torch.cuda.synchronize()
        times, burst = [], 10
        for _ in range(self.calls):
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            torch.cuda._sleep(1_000_000)  # the queue fills while this runs
            begin.record()
            for _ in range(burst):
                action()
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end) * 1e-3 / burst)
        return statistics.median(times)

    def on_host(self, action):
        times = []
        for _ in range(self.calls):
            begin = time.perf_counter()
            action()
            times.append(time.perf_counter() - begin)
        return statistics.median(times)


def products(tensor, rows, widths):
    """Rows m, n, k with the call."""
    for m, (n, k) in itertools.product(rows, widths):
        a, b = tensor(m, k), tensor(k, n)
        yield {"operator": "gemm", "format": "bf16", "m": m, "n": n, "k": k}, lambda a=a, b=b: a @ b


def attention(tensor, lengths, heads, tokens):
    for length, (count, cached, width) in itertools.product(lengths, heads):
        batch = max(1, tokens // length)
        sizes = {"format": "bf16", "batch": batch, "heads": count, "kv_heads": cached, "head_dim": width, "keys": length}
        keys, values = tensor(batch, cached, length, width), tensor(batch, cached, length, width)
        for operator, queries in (("prefill", length), ("decode", 1)):
            query = tensor(batch, count, queries, width)

            def call(query=query, keys=keys, values=values, causal=queries > 1):
                functional.scaled_dot_product_attention(query, keys, values, is_causal=causal, enable_gqa=query.shape[1] != keys.shape[1])

            yield {"operator": operator, "queries": queries, **sizes}, call


def sums(tensor, rows, widths):
    for m, n in itertools.product(rows, widths):
        a, b = tensor(m, n), tensor(m, n)
        yield {"operator": "elementwise", "shape": f"{m}x{n}", "operands": 2}, lambda a=a, b=b: a + b


def streams(tensor, device, rows, widths, vocabulary):
    """(operator, bytes read and written, call) of every class that is charged by its bytes."""
    for m, n in itertools.product(rows, widths):
        data, other, weight = tensor(m, n), tensor(m, n), tensor(n)
        once = 2 * m * n
        yield "elementwise", 3 * once, lambda a=data, b=other: a + b
        yield "elementwise", 2 * once, lambda a=data: functional.silu(a)
        yield "normalization", 2 * once, lambda a=data, w=weight: functional.rms_norm(a, (a.shape[-1],), w)
        yield "softmax", 2 * once, lambda a=data: torch.softmax(a, -1)
        table = tensor(min(vocabulary, 32 * n), n)
        chosen = torch.randint(0, table.shape[0], (m,), device=device)
        yield "embedding", 2 * once, lambda i=chosen, t=table: functional.embedding(i, t)
    for m in rows[:2]:
        logits = tensor(m, vocabulary)
        target = torch.randint(0, vocabulary, (m,), device=device)
        yield "loss", 2 * m * vocabulary, lambda a=logits, t=target: functional.cross_entropy(a, t)
    for m, n in itertools.product(rows[:3], widths[:3]):
        parameter = torch.nn.Parameter(tensor(m, n).float())
        parameter.grad = torch.zeros_like(parameter)
        adam = torch.optim.AdamW([parameter], fused=device.type == "cuda")
        # Parameter and two moments read and written, the gradient read.
        yield "optimizer", 7 * 4 * m * n, adam.step


def write(path, columns, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, columns, restval="")
        table.writeheader()
        table.writerows(rows)
    print(f"{path}: {len(rows)} rows")


def measured(cases, clock):
    """Rows of those cases that fit the device's memory."""
    rows = []
    for row, call in cases:
        try:
            rows.append({**row, "library": "vllm", "seconds": f"{clock(call):.6g}"})
        except torch.OutOfMemoryError:
            torch.cuda.empty_cache()
    return rows


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="profile_gpu", description="Measure the kernels of one GPU.")
    parser.add_argument("-o", "--output", required=True, metavar="PREFIX", help="prefix of the two files to write")
    parser.add_argument("--device", default="cuda", help="PyTorch's name of the device (default: %(default)s)")
    parser.add_argument("--calls", type=int, default=20, help="measurements of each kernel (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="only a few small sizes, to check that everything runs")
    options = parser.parse_args(arguments)
    device = torch.device(options.device)
    if device.type == "cuda" and not torch.cuda.is_available():
        print("error: PyTorch sees no GPU (--device cpu --quick shows that the program runs)", file=sys.stderr)
        return 2
    sizes = QUICK if options.quick else FULL

    def tensor(*shape):
        return torch.randn(*shape, device=device).to(torch.bfloat16)

    clock = Clock(device, options.calls)
    with torch.no_grad():
        cases = (products(tensor, sizes["products"], sizes["weights"]), attention(tensor, sizes["lengths"], sizes["heads"], sizes["tokens"]),
                 sums(tensor, sizes["rows"], sizes["widths"]))
        kernels = [row for some in cases for row in measured(some, clock)]
        table = [{"operator": operator, "precision": "fp32" if operator == "optimizer" else "bf16", "bytes": moved, "seconds": f"{clock(call):.6g}"}
                 for operator, moved, call in streams(tensor, device, sizes["rows"], sizes["widths"], sizes["vocabulary"])]
    write(f"{options.output}.kernels.csv", ["operator", "library", "format", "m", "n", "k", "batch", "heads", "kv_heads", "head_dim", "queries",
                                            "keys", "shape", "operands", "seconds"], kernels)
    write(f"{options.output}.table.csv", ["operator", "precision", "shape", "bytes", "seconds"], table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
