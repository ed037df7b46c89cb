"""The recipes of packaging/ say what ./dev and CMake say. Usage: check_recipes.py SOURCE_DIR"""

import ast
import pathlib
import re
import sys

# What Spack calls the packages that cmake/DseDependencies.cmake looks for; threads come with the compiler.
SPACK = {"PkgConfig": "pkgconfig", "fmt": "fmt", "spdlog": "spdlog", "nlohmann_json": "nlohmann-json", "yaml-cpp": "yaml-cpp",
         "Protobuf": "protobuf", "ZLIB": "zlib-api", "CLI11": "cli11", "Boost": "boost", "MPI": "mpi", "HDF5": "hdf5",
         "Threads": None}


def debian_packages(source):
    """What ./dev installs to build."""
    return set(re.search(r'build_packages="([^"]*)"', (source / "dev").read_text(encoding="utf-8"))[1].split())


def spack_packages(recipe):
    """The names that a Spack recipe depends on."""
    calls = [node for node in ast.walk(ast.parse(recipe)) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "depends_on"]
    return {re.match(r"[\w-]+", call.args[0].value)[0] for call in calls}


def check(source):
    """Yield what is wrong."""
    cmake = (source / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.findall(r"find_package\(([\w-]+)", (source / "cmake" / "DseDependencies.cmake").read_text(encoding="utf-8"))
    recipe = (source / "packaging" / "spack" / "package.py").read_text(encoding="utf-8")
    for name in ("Containerfile", "dse.def"):
        words = set((source / "packaging" / name).read_text(encoding="utf-8").split())
        for missing in sorted(debian_packages(source) - words):
            yield f"packaging/{name}: lacks {missing}, which ./dev installs"
    for name in found:
        if name not in SPACK:
            yield f"tests/package/check_recipes.py: what does Spack call {name}?"
        elif SPACK[name] and SPACK[name] not in spack_packages(recipe):
            yield f"packaging/spack/package.py: lacks {SPACK[name]}"
    version = re.search(r"project\(dse VERSION ([\d.]+)", cmake)[1]
    for name in ("packaging/spack/package.py", "python/pyproject.toml"):
        if f'"{version}"' not in (source / name).read_text(encoding="utf-8"):
            yield f"{name}: is not of version {version}"


if __name__ == "__main__":
    offences = list(check(pathlib.Path(sys.argv[1])))
    print("\n".join(offences))
    sys.exit(bool(offences))
