#!/usr/bin/env python3
"""Runs shipped sweeps and holds hashes of all of their rows against the reviewed ones.

    hashes.py --dse BUILD/dse --expected tests/regression/hashes.json [--update] SWEEP.yaml ...

Every point counts, with every axis, derived value and metric by its exact bits, its status and its reason. A column
has a hash of its own, so that a change says where it is; the hash of a sweep is that of its columns' hashes and names.
After a change that is meant to change answers: run it with --update, look at which columns changed, and commit the
file with the change.
"""

import argparse
import hashlib
import itertools
import json
import sys
from pathlib import Path

from shipped_sweep import rows_of

# Rows that are hashed at once: llm_70b has 201,024 of them, nine million cells.
BATCH = 4096


def new_hash():
    return hashlib.blake2b(digest_size=16)


def hashes_of(names, rows):
    """Return the hashes of a table: {"rows": number, "hash": of all, "columns": {name: hash}}."""
    columns = [new_hash() for _ in names]
    number = 0
    while batch := list(itertools.islice(rows, BATCH)):
        number += len(batch)
        for column, cells in zip(columns, zip(*batch)):
            # Line feeds end cells: a reason with one would only be a longer cell.
            column.update("".join(cell + "\n" for cell in cells).encode())
    digests = {name: column.hexdigest() for name, column in zip(names, columns)}
    whole = new_hash()
    whole.update("".join(f"{name} {digest}\n" for name, digest in digests.items()).encode())
    return {"rows": number, "hash": whole.hexdigest(), "columns": digests}


def differences(found, wanted):
    """Yield what differs between the hashes of a sweep and those it had."""
    if found["rows"] != wanted["rows"]:
        yield f"{found['rows']} rows instead of {wanted['rows']}"
    new, old = found["columns"], wanted["columns"]
    for title, names in (("new columns", [name for name in new if name not in old]),
                         ("columns that are gone", [name for name in old if name not in new]),
                         ("columns that differ", [name for name in new if old.get(name, new[name]) != new[name]])):
        if names:
            yield f"{title}: {', '.join(names)}"
    if list(new) != list(old) and set(new) == set(old):
        yield "columns in another order"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dse", required=True)
    parser.add_argument("--expected", required=True, type=Path)
    parser.add_argument("--update", action="store_true", help="write the hashes of today as the expected ones")
    parser.add_argument("sweeps", nargs="+", type=Path, metavar="SWEEP.yaml")
    options = parser.parse_args()
    expected = json.loads(options.expected.read_text()) if options.expected.exists() else {}
    failed = False
    for sweep in options.sweeps:
        with rows_of(options.dse, sweep) as (names, rows):
            found = hashes_of(names, rows)
        if options.update:
            expected[sweep.stem] = found
            continue
        if sweep.stem not in expected:
            print(f"{sweep.stem}: no hashes of its rows in {options.expected}")
            failed = True
        elif found["hash"] != expected[sweep.stem]["hash"]:
            print("\n".join(f"{sweep.stem}: {line}" for line in differences(found, expected[sweep.stem])))
            failed = True
    if options.update:
        options.expected.write_text(json.dumps(dict(sorted(expected.items())), indent=1) + "\n")
    elif failed:
        print("if the new answers are right: --update, and review which columns changed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
