"""The files that the rules look at."""

import re
import sys

CODE = ("include", "src", "tests")
NOT_OURS = {".git", ".venv", ".cache", "build", "__pycache__", ".pytest_cache"}
# Only at the top: src/results is a module.
OUTPUT = "results"
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]')


def files(root, suffixes=None):
    """Yield every file of the project, as a path relative to `root`, in order.

    Parameters
    ----------
    root : pathlib.Path
    suffixes : collection of str, optional
        Only files that end so (".cpp"); all where absent.
    """
    for path in sorted(root.iterdir() if root.is_dir() else []):
        is_output = path.name == OUTPUT and (root / "CMakePresets.json").exists()
        if path.name in NOT_OURS or is_output or path.is_symlink():
            continue
        if path.is_dir():
            yield from files(path, suffixes)
        elif suffixes is None or path.suffix in suffixes:
            yield path


def cpp_files(root):
    """Yield (path, relative parts) of every C++ file under include, src and tests."""
    for folder in CODE:
        for path in files(root / folder, {".hpp", ".cpp", ".h"}):
            yield path, path.relative_to(root).parts


def folders_of(parts):
    """Return the folders that a C++ file stands in below include/dse, src or tests: its module and what is inside."""
    return parts[2 if parts[0] == "include" else 1:-1]


def module_of(parts):
    """Return the module that a C++ file belongs to, or None: include/dse/M/…, src/M/…, tests/M/…."""
    return next(iter(folders_of(parts)), None)


def includes(path):
    """Yield (line number, header) of every include of a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1)


def finish(offences):
    """Print the offences and end the script: 1 where there are any."""
    for offence in offences:
        print(offence)
    sys.exit(1 if offences else 0)
