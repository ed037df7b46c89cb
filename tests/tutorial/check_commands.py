"""Every command that the documentation names is one, with options that it has.

Usage: check_commands.py DSE SOURCE_DIR

Looks at lines of code (fenced, or indented by four) that begin with `dse`, and at code within sentences that begins
with it and has options; run_page.py runs those of the tutorial.
"""

import functools
import pathlib
import re
import subprocess
import sys

LINE = re.compile(r"^(?:    |\$ |)(?:mpirun -n \d+ )?dse +(\S+)(.*)$")
OPTION = re.compile(r"(?<=[\s\[(])--[a-z][a-z-]*")
INLINE = re.compile(r"`(dse [^`]*--[^`]*)`")
GROUPS = ("et", "synth")  # commands of commands


@functools.cache
def help_of(dse, *command):
    """What a command says of itself; empty where there is none."""
    done = subprocess.run([dse, *command, "--help"], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def code_lines(text):
    """Yield (number, line) of what is code, lines that end in a backslash joined with the next."""
    fenced, joined = False, ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    ") or joined:
            line = joined + line
            joined = line[:-1] if line.endswith("\\") else ""
            if not joined:
                yield number, line
        else:
            for match in INLINE.finditer(line):
                yield number, match[1]


def commands(text):
    """Yield (line, command, what follows it) of the commands of a page."""
    for number, line in code_lines(text):
        match = LINE.match(line)
        if not match or match[1].startswith("--"):
            continue
        word, rest = match[1], re.split(r"\s{2,}|\s#\s|\|", match[2])[0]
        if word in GROUPS and re.match(r" +\w", rest):
            yield number, (word, rest.split()[0]), rest
        else:
            yield number, ("run",) if "." in word or "$" in word or word.isupper() else (word,), rest


def offences(text, ask):
    """Yield (line, what is wrong) of a page. ask: the help of a command, empty where there is none."""
    for number, command, rest in commands(text):
        known = ask(*command)
        if not known:
            yield number, f"there is no 'dse {' '.join(command)}'"
        for option in OPTION.findall(" " + rest):
            if known and not re.search(rf"{option}\b", known):
                yield number, f"dse {' '.join(command)} has no {option}"


def main():
    dse, root = sys.argv[1], pathlib.Path(sys.argv[2])
    readmes = [root / folder / "README.md" for folder in ("slurm", "hardware", "workloads", "packaging")]
    pages = [page for page in [*root.glob("*.md"), *(root / "docs").rglob("*.md"), *readmes] if page.name != "CHANGELOG.md"]
    texts = {page: page.read_text(encoding="utf-8") for page in pages}
    found = [f"{page}:{line}: {what}" for page, text in texts.items()
             for line, what in offences(text, functools.partial(help_of, dse))]
    count = sum(len(list(commands(text))) for text in texts.values())
    print("\n".join(found) or f"{count} commands on {len(pages)} pages")
    sys.exit(bool(found) or count == 0)


if __name__ == "__main__":
    main()
