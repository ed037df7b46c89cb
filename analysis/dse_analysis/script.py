"""Common parts of this package's scripts."""

import csv
import functools
import json
import subprocess
import sys
import tempfile
from pathlib import Path


def exit_code(*more_errors):
    """Decorate a script's main function to return its exit code: 0, or 2 after printing an error to stderr.

    Parameters
    ----------
    more_errors : exception classes
        Input errors in addition to KeyError, OSError and ValueError.
    """

    def decorate(work):
        @functools.wraps(work)
        def main(arguments=None):
            try:
                work(arguments)
            except (KeyError, OSError, ValueError, *more_errors) as error:
                missing = "the input has no " if isinstance(error, KeyError) else ""
                print(f"dse: {missing}{error}", file=sys.stderr)
                return 2
            return 0

        return main

    return decorate


def write_rows(file, columns, rows):
    """Write dicts as CSV, with a line of the columns' names before them."""
    with open(file, "w", newline="") as text:
        writer = csv.DictWriter(text, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def add_program(parser):
    """Add the options --dse and --data of scripts that run the program in a folder of its data."""
    parser.add_argument("--dse", required=True, help="the program", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--data", default=".", type=Path, help="folder that contains hardware/ and workloads/")


def validated(dse, *options, folder=None):
    """Return what `dse validate --json` prints.

    Parameters
    ----------
    dse : str
        The program.
    options : str
        Its other options.
    folder : path, optional
        Contains hardware/ and workloads/; by default the current one.

    Raises
    ------
    RuntimeError
        With what the program says if it prints nothing. Its exit code does not tell: errors beyond their bounds set it too.
    """
    answer = subprocess.run([dse, "validate", *options, "--json"], cwd=folder, capture_output=True, text=True)
    if not answer.stdout:
        raise RuntimeError(answer.stderr.strip())
    return json.loads(answer.stdout)


def validated_rows(dse, table, folder=None):
    """Return the rows of `dse validate --truth` of a table, as validated() does."""
    return validated(dse, "--truth", table, folder=folder)["rows"]


def run_on(dse, data, sweep, command, *options, asked=None):
    """Return the finished process of a command of the program on a sweep, a dict, in a folder that contains hardware/ and workloads/."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{sweep['name']}.yaml"
        file.write_text(json.dumps(sweep))  # which is YAML
        return subprocess.run([dse, command, str(file), *options], cwd=data, input=asked, capture_output=True, text=True)


def point_metrics(dse, data, sweep):
    """Return the metrics of `dse point` of a sweep that has a single point, in a folder that contains hardware/ and workloads/.

    Raises
    ------
    ValueError
        With what the program says if the point cannot be evaluated.
    """
    answer = run_on(dse, data, sweep, "point", "--json")
    if answer.returncode != 0:
        raise ValueError(answer.stderr.strip())
    return json.loads(answer.stdout)["metrics"]


def answered(dse, data, sweep, points):
    """Return the metrics of points of a sweep, which one process of `dse answer` evaluates.

    Parameters
    ----------
    dse : str
        The program.
    data : path
        Contains hardware/ and workloads/.
    sweep : dict
    points : list of dict
        Values of all axes, by name.

    Raises
    ------
    ValueError
        With what the program says if a point cannot be evaluated.
    """
    asked = "".join(json.dumps({"values": values}) + "\n" for values in points)
    answer = run_on(dse, data, sweep, "answer", asked=asked)
    found = [json.loads(line) for line in answer.stdout.splitlines()]
    failed = [point for point in found if point["status"] != "ok"]
    if len(found) != len(points) or failed:
        raise ValueError(failed[0].get("reason", str(failed[0])) if failed else answer.stderr.strip())
    return found
