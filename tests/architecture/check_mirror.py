"""A test stands where its source stands: src/M/x.cpp and tests/M/x_test.cpp.

Usage: check_mirror.py SOURCE_DIR
"""

import pathlib
import sys

import tree

# Sources without a test of their own, and why.
EXCEPTIONS = {
    "src/app/main.cpp": "three lines; every test of the command line runs it",
}


def main(root):
    offences = []
    for path in tree.files(root / "src", {".cpp"}):
        inside = path.relative_to(root / "src")
        test = root / "tests" / inside.with_name(inside.stem + "_test.cpp")
        name = path.relative_to(root).as_posix()
        if name in EXCEPTIONS:
            if test.exists():
                offences.append(f"{name}:1: has a test and needs no exception")
        elif not test.exists():
            offences.append(f"{name}:1: no test {test.relative_to(root).as_posix()}")
    tree.finish(offences)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
