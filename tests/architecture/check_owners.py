"""Hold every third-party include against its owner: one library, one module, and never in a public header.

Usage: check_owners.py SOURCE_DIR

fmt and nlohmann-json are vocabulary, like the standard library, and stand anywhere.
"""

import pathlib
import re
import sys

import tree

OWNERS = {
    r"yaml-cpp/": "config",
    r"muParser": "symbolic",
    r"google/protobuf/|.*\.pb\.h$": "trace",
    r"zlib\.h$": "trace ir/readers results serving",  # traces and programs come compressed, columns are
    r"boost/random/|boost/multiprecision/|pagmo/": "space",
    r"hdf5|H5\w*\.h$": "results",
    r"mpi\.h$|boost/mpi|boost/serialization/": "dist",
    r"CLI/|CLI11": "app",
    r"csv\.h$": "config",
    r"spdlog/|xxhash\.h$": "base",
}


def owner_of(header):
    """Return the module that owns a third-party header, or None."""
    return next((owner for pattern, owner in OWNERS.items() if re.match(pattern, header)), None)


def stands_in(folder, owners):
    """Whether a folder ("ir/readers/hlo") is one of the modules or parts of modules, or inside one."""
    return any(f"{folder}/".startswith(f"{owner}/") for owner in owners)


def main(root):
    offences = []
    for path, parts in tree.cpp_files(root):
        folder = "/".join(tree.folders_of(parts))
        for line, header in tree.includes(path):
            owner = owner_of(header)
            if owner is None:
                continue
            where = f"{'/'.join(parts)}:{line}"
            if parts[0] == "include":
                offences.append(f"{where}: <{header}> in a public header; it belongs into src/{owner}")
            elif parts[:2] != ("tests", "mpi") and not stands_in(folder, owner.split()):
                offences.append(f"{where}: {folder} may not include <{header}>, which {owner} owns")
    tree.finish(offences)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
