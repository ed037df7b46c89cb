"""Convert a results file to Apache Parquet: python -m dse_analysis.parquet results.h5 rows.parquet."""

import argparse
import os
import sys

import pyarrow as pa
import pyarrow.parquet as pq

from dse_analysis.results import ResultsError, with_results


def write_parquet(results, output, block=1 << 17):
    """Write all rows of an open `Results`, one block at a time.

    Parameters
    ----------
    results : Results
    output : str or os.PathLike
        File to write. It appears when it is complete.
    block : int
        Number of rows in memory at a time, and in a row group.
    """
    unfinished = f"{output}.unfinished"
    try:
        with _Writer(unfinished) as writer:
            for table in results.blocks(rows=block):
                writer.write(table.assign(unsealed=True) if results.attrs["unsealed"] else table)
            if len(results) == 0:
                writer.write(results.table())
        os.replace(unfinished, output)
    finally:
        if os.path.lexists(unfinished):
            os.remove(unfinished)


class _Writer:
    """A Parquet file being written. The first block determines the types of the columns.

    Integer columns may have missing values in later blocks.
    """

    def __init__(self, path):
        self._path, self._writer = path, None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._writer is not None:
            self._writer.close()

    def write(self, table):
        table.attrs = {}  # pandas would write them as JSON, which does not preserve tuples
        if self._writer is None:
            self._schema = pa.Schema.from_pandas(table, preserve_index=False)
            self._writer = pq.ParquetWriter(self._path, self._schema)
        self._writer.write_table(pa.Table.from_pandas(table, schema=self._schema, preserve_index=False))


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="dse_analysis.parquet", description="Rows of a results file as Parquet.")
    parser.add_argument("results", help="finished results file (HDF5)")
    parser.add_argument("output", help="file to write")
    parser.add_argument("--unsealed", action="store_true", help="also read a file without a valid seal; a column says so")
    options = parser.parse_args(arguments)
    try:
        with_results(options.results, lambda results: write_parquet(results, options.output), options.unsealed)
    except ResultsError as error:
        print(f"dse: {error}", file=sys.stderr)
        return 2
    except OSError as error:  # of pyarrow's own words and numbers, what the system says
        why = os.strerror(error.errno) if error.errno else error
        print(f"dse: cannot write '{options.output}': {why}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
