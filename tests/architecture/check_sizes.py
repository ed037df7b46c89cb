"""Report how long files and functions are; fail far above what the house aims at.

Usage: check_sizes.py SOURCE_DIR

The aim: files with a median of about 100 lines and 95 % under 350; functions with a median of 5-8 and 95 %
under 40. The limits are generous, since what is long for a good reason stays long.
"""

import pathlib
import statistics
import sys

import functions
import tree

FILE_LIMIT = 600
FUNCTION_LIMIT = 120


def describe(name, lengths):
    """Print median, 95th percentile and largest of some lengths."""
    ordered = sorted(lengths)
    if ordered:
        high = ordered[int(0.95 * (len(ordered) - 1))]
        print(f"{name}: {len(ordered)}, median {statistics.median(ordered):.0f} lines, 95 % under {high}, "
              f"largest {ordered[-1]}")


def main(root):
    offences, file_lengths, function_lengths = [], [], []
    for path, parts in tree.cpp_files(root):
        text = path.read_text(encoding="utf-8")
        name = "/".join(parts)
        lines = len(text.splitlines())
        found = functions.function_lengths(text)
        if parts[0] != "tests":
            file_lengths.append(lines)
            function_lengths += [length for _, _, length in found]
        if lines > FILE_LIMIT:
            offences.append(f"{name}:1: {lines} lines (limit {FILE_LIMIT})")
        offences += [f"{name}:{first}: {function} has {length} lines (limit {FUNCTION_LIMIT})"
                     for first, function, length in found if length > FUNCTION_LIMIT]
    describe("files", file_lengths)
    describe("functions", function_lengths)
    tree.finish(offences)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
