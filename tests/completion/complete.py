"""Asks a real shell what it offers for command lines of dse, by the script that `dse completion SHELL` prints.

Usage: complete.py SHELL DSE. Exit code 77: the shell is not installed.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# Line, what is offered, whether that is all. Of files the folder has study.yaml and rows.h5.
CASES = [
    ("dse par", ["pareto", "parts"], True),
    ("dse stu", ["study.yaml"], True),
    ("dse pareto rows.h5 --wh", ["--where"], True),
    ("dse pareto ro", ["rows.h5"], True),
    ("dse init --goal t", ["training"], True),
    ("dse et ch", ["check"], True),
    ("dse et check --js", ["--json"], True),
    ("dse synth judge --unt", ["--untimed"], True),
    ("dse completion z", ["zsh"], True),
    ("dse completion ", ["bash", "fish", "zsh"], True),
    ("dse list mod", ["models"], True),
    ("dse gemm 8 8 8 --device l40", ["l40s"], True),
    ("dse gemm 8 8 8 --device a100_40", ["a100_40_sxm"], True),
    ("dse point study.yaml --flags m", ["maxtext", "megatron"], True),
    ("dse merge rows.h5 ro", ["rows.h5"], True),
    ("dse report rows.h5 --", ["--by", "--force", "--mark", "--objectives", "--output", "--where"], False),
]


def in_zsh(folder, line):
    """Return what zsh offers."""
    driver = pathlib.Path(__file__).parent / "zsh_offers.zsh"
    return run(["zsh", "-f", str(driver), str(folder), line], folder).splitlines()


def in_fish(folder, line):
    """Return what fish offers, without descriptions."""
    script = f"source {folder}/dse.fish; complete -C {quoted(line)}"
    return [match.split("\t")[0] for match in run(["fish", "--no-config", "-c", script], folder).splitlines()]


def in_bash(folder, line):
    """Return what bash offers: its completion function is called as readline does."""
    words = line.split(" ")
    array = " ".join(map(quoted, words))
    script = (f"source {folder}/dse.bash; COMP_WORDS=({array}); COMP_CWORD={len(words) - 1}; _dse\n"
              'printf "%s\\n" "${COMPREPLY[@]}"')
    return run(["bash", "--norc", "-c", script], folder).split()


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False,
                          env=os.environ | {"HOME": str(folder), "TERM": "dumb"})
    if done.returncode != 0 or done.stderr:
        sys.exit(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main(shell, dse):
    if shutil.which(shell) is None:
        print(f"{shell} is not installed (./dev setup --ci installs it)")
        return 77
    ask = {"zsh": in_zsh, "fish": in_fish, "bash": in_bash}[shell]
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        script = subprocess.run([dse, "completion", shell], capture_output=True, text=True, check=True).stdout
        (folder / ("_dse" if shell == "zsh" else f"dse.{shell}")).write_text(script, encoding="utf-8")
        for file in ("study.yaml", "rows.h5"):
            (folder / file).touch()
        for line, wanted, is_all in CASES:
            offered = sorted(set(ask(folder, line)))
            if offered != wanted if is_all else not set(wanted) <= set(offered):
                wrong += 1
                print(f"{line!r}: {shell} offers {offered}, not {wanted}")
    print(f"{shell}: {len(CASES) - wrong} of {len(CASES)} lines are completed as they should be")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
