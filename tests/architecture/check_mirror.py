"""A test stands where its source stands: src/M/x.cpp and tests/M/x_test.cpp.

Usage: check_mirror.py SOURCE_DIR

A test that covers several sources of its folder (a family of small structs, the parts of one algorithm) names the
others: a line `// Also tests: a.cpp, b.cpp` or `// Also tests: fold/a.cpp`, relative to src/M. Tests over several
modules (tests/integration) name them relative to src.
"""

import pathlib
import re
import sys

import tree

# Sources without a test, and why.
EXCEPTIONS = {
    "src/app/main.cpp": "every test of the command line runs it",
}
ALSO = re.compile(r"^//\s*Also tests:\s*(.+)$", re.MULTILINE)


def named_by_tests(root):
    """Return {source: test that names it} and the offences of tests that name what is not there."""
    named, offences = {}, []
    for test in tree.files(root / "tests", {".cpp"}):
        parts = test.relative_to(root).parts
        folder = root / "src" / parts[1]
        folder = folder if folder.is_dir() else root / "src"
        for match in ALSO.finditer(test.read_text(encoding="utf-8")):
            for name in re.split(r"[,\s]+", match.group(1).strip()):
                source = folder / name
                named[source] = test
                if not source.exists():
                    offences.append(f"{'/'.join(parts)}:1: names {name}, which is not in "
                                    f"{folder.relative_to(root).as_posix()}")
    return named, offences


def main(root):
    named, offences = named_by_tests(root)
    same, total = 0, 0
    for path in tree.files(root / "src", {".cpp"}):
        inside = path.relative_to(root / "src")
        test = root / "tests" / inside.with_name(inside.stem + "_test.cpp")
        name = path.relative_to(root).as_posix()
        total += 1
        same += test.exists()
        if name in EXCEPTIONS:
            if test.exists():
                offences.append(f"{name}:1: has a test and needs no exception")
        elif not test.exists() and path not in named:
            offences.append(f"{name}:1: no test {test.relative_to(root).as_posix()}, and no test names it")
    print(f"{same} of {total} sources have a test of the same name")
    tree.finish(offences)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
