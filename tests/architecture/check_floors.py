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


def part_of(folders, floors):
    """Return the longest path of `folders` that the table names ("ir/readers"); the first where it names none."""
    paths = ("/".join(folders[:depth]) for depth in range(len(folders), 0, -1))
    return next((path for path in paths if path in floors), folders[0] if folders else None)


def target_of(header, floors):
    """Return the module that `header` belongs to, or None: "dse/M/x.hpp", or "M/x.hpp" inside src."""
    folders = header.split("/")[:-1]
    is_public = folders[:1] == ["dse"]
    name = part_of(folders[1:] if is_public else folders, floors)
    return name if is_public or name in floors else None


def may_include(module, target, floors):
    """Whether the table allows a module, or a part of one, the target or the module that the target is a part of."""
    return target in floors[module] or target.partition("/")[0] in floors[module]


def main(root, floors):
    offences = []
    for path, parts in tree.cpp_files(root):
        # A module's parts are tested over programs that its other parts read.
        module = tree.module_of(parts) if parts[0] == "tests" else part_of(tree.folders_of(parts), floors)
        if module not in floors:
            if parts[0] != "tests":
                offences.append(f"{'/'.join(parts)}:1: no module of this name in CMakeLists.txt")
            continue
        for line, header in tree.includes(path):
            target = target_of(header, floors)
            if target is not None and not may_include(module, target, floors):
                offences.append(f"{'/'.join(parts)}:{line}: {module} may not include {target}")
    tree.finish(offences)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), read_floors(pathlib.Path(sys.argv[2])))
