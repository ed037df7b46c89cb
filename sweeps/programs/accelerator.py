#!/usr/bin/env python3
"""A systolic accelerator in a few formulas: what `exec` of sweeps/accelerator.yaml runs.

Reads a line of JSON a point, {"id": …, "values": {"rows": 64, …}}, and answers with a line of JSON: time and energy of
one transformer layer's products, and the chip's area. What a design cannot do is an answer, too.
"""

import json
import sys

# Products (m, n, k) of one layer of a 7B model over 2,048 tokens: q k v, attention's output, up and gate, down.
PRODUCTS = ((2048, 12288, 4096), (2048, 4096, 4096), (2048, 22016, 4096), (2048, 4096, 11008))
SRAM_MM2_PER_KIB = 0.0012      # 7 nm: about 1.2 mm2 a MiB
MAC_MM2 = 0.0006               # bf16
MAC_PJ = 0.9                   # at 1 GHz
BYTES = 2
DRAM_PJ_PER_BYTE = 40.0


def ceil_div(a, b):
    return -(-a // b)


def answer(rows, cols, sram_kib, frequency_mhz, dram_gbps, dataflow):
    """Return the metrics of one design, or why it is none."""
    half = sram_kib * 1024 // 2            # the other half is filled meanwhile
    if (rows + cols) * 64 * BYTES > half:
        return {"status": "outside_validity", "reason": f"{sram_kib} KiB hold no panel of {rows} x {cols}"}
    seconds = joules = 0.0
    for m, n, k in PRODUCTS:
        # What stays in the array: sums of the output, or weights. The third dimension streams through.
        tall, wide, deep = (m, n, k) if dataflow == "output_stationary" else (k, n, m)
        cycles = ceil_div(tall, rows) * ceil_div(wide, cols) * (deep + rows + cols)
        # Panels of the left operand stay as long as the buffer holds them; the right one is read for each.
        panels = ceil_div(m * k * BYTES, half)
        traffic = BYTES * (m * k + panels * n * k + m * n)
        seconds += max(cycles / (frequency_mhz * 1e6), traffic / (dram_gbps * 1e9))
        # A faster clock needs a higher voltage, and energy goes with its square.
        voltage = 0.6 + 0.4 * frequency_mhz / 1000
        joules += (m * n * k * MAC_PJ * voltage * voltage + traffic * DRAM_PJ_PER_BYTE) * 1e-12
    area = rows * cols * MAC_MM2 + sram_kib * SRAM_MM2_PER_KIB + dram_gbps * 0.05
    return {"latency": seconds, "layer_energy": joules, "area": area}


for line in sys.stdin:
    print(json.dumps(answer(**json.loads(line)["values"])), flush=True)
