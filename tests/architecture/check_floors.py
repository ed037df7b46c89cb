"""Hold every include against the table of floors that CMakeLists.txt wrote.

Usage: check_floors.py SOURCE_DIR FLOORS_TXT

Needed because all modules share include/: the linker alone does not stop an upward include.
"""

import pathlib
import sys

import tree


def read_floors(path):
    """Return {module: modules it may include} from lines `module: a b c`."""
    floors = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        module, _, allowed = line.partition(":")
        floors[module] = {module, *allowed.split()}
    return floors


def target_of(header, floors):
    """Return the module that `header` belongs to, or None: "dse/M/x.hpp", or "M/x.hpp" inside src."""
    parts = header.split("/")
    name = parts[1] if parts[0] == "dse" and len(parts) > 2 else parts[0]
    return name if len(parts) > 1 and (parts[0] == "dse" or name in floors) else None


def main(root, floors):
    offences = []
    for path, parts in tree.cpp_files(root):
        module = tree.module_of(parts)
        if module not in floors:
            if parts[0] != "tests":
                offences.append(f"{'/'.join(parts)}:1: no module of this name in CMakeLists.txt")
            continue
        for line, header in tree.includes(path):
            target = target_of(header, floors)
            if target is not None and target not in floors[module]:
                offences.append(f"{'/'.join(parts)}:{line}: {module} may not include {target}")
    tree.finish(offences)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), read_floors(pathlib.Path(sys.argv[2])))
