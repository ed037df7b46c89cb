#!/usr/bin/env python3
"""Makes shipped captures again, each by the command in its own manifest, and says what differs.

    remake.py ../captures/jax/llama3_8b_fsdp8.json      one
    remake.py ../captures/jax/*.json --update           all, and the new ones take the place of the old
"""

import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import ir_text

HERE = pathlib.Path(__file__).resolve().parent
# What an operator count or a text may differ in between versions of a framework; all else has to be the same.
VERSION_BOUND = ("lines", "operators")


def remade(manifest, folder):
    """Run a manifest's command into a folder; return the new manifest.

    Parameters
    ----------
    manifest : dict
    folder : pathlib.Path

    Returns
    -------
    dict

    Raises
    ------
    RuntimeError
        With the command's own message, where it fails.
    """
    script, *words = shlex.split(manifest["command"])
    prefix = folder / manifest["name"]
    done = subprocess.run([sys.executable, str(HERE / script), *words, "--output", str(prefix)], cwd=HERE,
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{script} ended with {done.returncode}: {done.stderr.strip()[-2000:]}")
    return json.loads(prefix.with_name(prefix.name + ".json").read_text(encoding="utf-8"))


def differences(old, new, old_folder, new_folder):
    """Return what differs, one line each.

    Parameters
    ----------
    old, new : dict
        Manifests.
    old_folder, new_folder : pathlib.Path
        Where their files lie. Texts are compared only where the versions are equal.

    Returns
    -------
    list of str
    """
    same_versions = old["versions"] == new["versions"]
    dropped = ("versions",) if same_versions else ("versions", *VERSION_BOUND)
    lines = list(_compare("", _without(old, dropped), _without(new, dropped)))
    for entry in old["files"] if same_versions else []:
        name = entry["file"]
        if (new_folder / name).exists() and _text(old_folder / name) != _text(new_folder / name):
            lines.append(f"{name}: the text differs")
    return lines


def _text(path):
    """Return a file's text; of an optimized program without the numbers in names, which vary from run to run."""
    text = ir_text.read(path)
    return re.sub(r"\.\d+", "", text) if ".optimized." in path.name else text


def _without(value, keys):
    if isinstance(value, dict):
        return {key: _without(inner, keys) for key, inner in value.items() if key not in keys}
    return [_without(inner, keys) for inner in value] if isinstance(value, list) else value


def _compare(path, old, new):
    """Yield a line for each leaf that differs."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from _compare(f"{path}.{key}".lstrip("."), old.get(key), new.get(key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (a, b) in enumerate(zip(old, new)):
            yield from _compare(f"{path}[{number}]", a, b)
    elif old != new:
        yield f"{path}: {json.dumps(old)} became {json.dumps(new)}"


def main():
    parser = argparse.ArgumentParser(prog="remake.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("manifests", nargs="+", type=pathlib.Path, metavar="MANIFEST")
    parser.add_argument("--update", action="store_true", help="keep the new captures instead of comparing")
    options = parser.parse_args()
    failed = 0
    for path in options.manifests:
        old = json.loads(path.read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory(prefix="remake_") as folder:
            folder = pathlib.Path(folder)
            try:
                new = remade(old, folder)
            except RuntimeError as error:
                print(f"{path.name}: {error}")
                failed += 1
                continue
            found = differences(old, new, path.parent, folder)
            print("\n    ".join([f"{path.name}: {'differs' if found else 'the same'}", *found]), flush=True)
            if options.update:
                for made in folder.iterdir():
                    (path.parent / made.name).write_bytes(made.read_bytes())
            else:
                failed += bool(found)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
