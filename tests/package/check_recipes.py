"""The recipes of packaging/ say what ./dev and CMake say. Usage: check_recipes.py SOURCE_DIR"""

import ast
import json
import pathlib
import re
import subprocess
import sys

# What Spack calls the packages that cmake/DseDependencies.cmake looks for; threads come with the compiler.
SPACK = {"PkgConfig": "pkgconfig", "fmt": "fmt", "spdlog": "spdlog", "nlohmann_json": "nlohmann-json", "yaml-cpp": "yaml-cpp",
         "Protobuf": "protobuf", "ZLIB": "zlib-api", "CLI11": "cli11", "Boost": "boost", "MPI": "mpi", "HDF5": "hdf5",
         "Threads": None, "xxhash": "xxhash", "CSV": "libcsv"}
FINDS = r"(?:find_package|pkg_check_modules)\(([\w-]+)|find_library\(DSE_LIB([A-Z]+)_LIBRARY"


def debian_packages(source):
    """What ./dev installs to build."""
    return set(re.search(r'build_packages="([^"]*)"', (source / "dev").read_text(encoding="utf-8"))[1].split())


def spack_packages(recipe):
    """The names that a Spack recipe depends on."""
    calls = [node for node in ast.walk(ast.parse(recipe)) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "depends_on"]
    return {re.match(r"[\w-]+", call.args[0].value)[0] for call in calls}


def scripts_of_container(text):
    """Yield the shell scripts of a Containerfile, a line that ends with a backslash joined to the next."""
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("RUN "):
            yield line[len("RUN "):]


def scripts_of_apptainer(text):
    """Yield the shell scripts of an Apptainer definition: its sections but %files."""
    for section in re.split(r"^%", text, flags=re.MULTILINE)[1:]:
        name, _, script = section.partition("\n")
        if name.strip() != "files":
            yield script


def check_scripts(name, text, scripts):
    """Yield what is wrong with an image's recipe whatever it installs: shell syntax, bases without a version, lists of apt
    that stay in the image, a preset that is no longer there."""
    for script in scripts:
        shell = subprocess.run(["sh", "-n"], input=script, text=True, capture_output=True, check=False)
        if shell.returncode != 0:
            yield f"packaging/{name}: {shell.stderr.strip()}"
    for base in re.findall(r"^(?:FROM|From:) +(\S+)", text, flags=re.MULTILINE):
        if not re.search(r":\d", base):
            yield f"packaging/{name}: the base '{base}' has no version"
    last = text.rpartition("\nFROM ")[2]
    if "apt-get install" in last and "/var/lib/apt/lists" not in last:
        yield f"packaging/{name}: leaves the lists of apt in the image"


def check_places(source, name, text):
    """Yield what a recipe names that is not there: a preset of CMake, a shipped sweep."""
    presets = {preset["name"] for preset in json.loads((source / "CMakePresets.json").read_text(encoding="utf-8"))["configurePresets"]}
    for preset in re.findall(r"--preset (\w+)", text):
        if preset not in presets:
            yield f"packaging/{name}: there is no preset '{preset}'"
    for place in re.findall(r"share/dse/(\S+)", text):
        if not (source / place).exists():
            yield f"packaging/{name}: there is no {place}"


def check(source):
    """Yield what is wrong."""
    cmake = (source / "CMakeLists.txt").read_text(encoding="utf-8")
    dependencies = (source / "cmake" / "DseDependencies.cmake").read_text(encoding="utf-8")
    found = [first or second for first, second in re.findall(FINDS, dependencies)]
    recipe = (source / "packaging" / "spack" / "package.py").read_text(encoding="utf-8")
    for name in ("Containerfile", "dse.def"):
        words = set((source / "packaging" / name).read_text(encoding="utf-8").split())
        for missing in sorted(debian_packages(source) - words):
            yield f"packaging/{name}: lacks {missing}, which ./dev installs"
    for name, scripts in (("Containerfile", scripts_of_container), ("dse.def", scripts_of_apptainer)):
        text = (source / "packaging" / name).read_text(encoding="utf-8")
        yield from check_scripts(name, text, scripts(text))
        yield from check_places(source, name, text)
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
