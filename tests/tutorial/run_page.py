"""Runs what a page of the documentation prints, and holds what it shows against what comes of it.

Usage: run_page.py PAGE.md --dse DSE --source SOURCE_DIR [--show] [--update]

Fenced blocks are taken in order, all in one scratch folder:
  yaml, json, python   a file, where the first line is a comment that begins with its name (`# layouts.yaml: why`), or
                       where the line before the block ends in the name (`... as \\`config.json\\`:`)
  sh                   is run by bash; it fails where a command does
  text                 lines of what the sh block before it printed: spaces count once, numbers to a tenth, `…` is anything
Blocks of other languages are shown only.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)
NAMED_INSIDE = re.compile(r"^# ([\w./-]+\.\w+)\b")
NAMED_BEFORE = re.compile(r"`([\w./-]+\.\w+)`:\s*$")
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")


class PageError(Exception):
    """What the page prints does not hold."""


def blocks(text):
    """Yield (language, body, line, file name or None) of every fenced block."""
    for match in FENCE.finditer(text):
        before = text[:match.start()].rstrip()
        named = NAMED_INSIDE.match(match[2]) or NAMED_BEFORE.search(before[before.rfind("\n") + 1:])
        yield match[1], match[2], text.count("\n", 0, match.start()) + 1, named[1] if named else None


def value(number):
    """What a printed number is: 2,897,421 is one, too."""
    return float(number.replace(",", ""))


def pattern(line):
    """The expression that a line of output must match, its numbers as groups."""
    result, end = "", 0
    words = " ".join(line.split())
    for match in NUMBER.finditer(words):
        result += re.escape(words[end:match.start()]) + f"({NUMBER.pattern})"
        end = match.end()
    result += re.escape(words[end:])
    return re.compile(result.replace("\\ ", " ").replace("…", ".*"))


def is_shown(line, output):
    """Whether a line of the output says what the page's line says."""
    wanted = [value(number) for number in NUMBER.findall(line)]
    for match in (pattern(line).search(there) for there in output):
        if match and all(abs(value(found) - number) <= 0.1 * abs(number)
                         for found, number in zip(match.groups(), wanted, strict=True)):
            return True
    return False


def present(line, output):
    """Return the page's line with what is printed now: as a whole if it is a whole line, else only its numbers.

    Of several lines of its words, the one with the nearest numbers counts.
    """
    matches = [(match, there) for there in output if (match := pattern(line).search(" ".join(there.split())))]
    if not matches:
        return None
    wanted = [value(number) for number in NUMBER.findall(line)]

    def distance(pair):
        return sum(abs(value(found) - number) / (abs(number) or 1.0) for found, number in zip(pair[0].groups(), wanted))

    match, there = min(matches, key=distance)
    if "…" not in line and match[0] == " ".join(there.split()):
        return there.rstrip()
    found = iter(match.groups())
    return NUMBER.sub(lambda _: next(found), line)


def run(commands, folder, environment):
    """Return what the commands print, both streams."""
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise PageError(f"ended with {done.returncode}:\n{commands}\n{done.stdout}")
    return done.stdout


def check(page, folder, environment, show, update=False):
    """Run the page's blocks; raise PageError where it does not hold, or write there what is printed now."""
    output, commands = "", 0
    text = page.read_text(encoding="utf-8")
    for language, body, line, name in blocks(text):
        try:
            if language == "sh":
                commands += 1
                output = run(body, folder, environment)
                if show:
                    print(f"--- {line}\n{body}---\n{output}")
            elif language == "text":
                there = [" ".join(printed.split()) for printed in output.splitlines()]
                for shown in filter(str.strip, body.splitlines()):
                    if shown.strip() == "…":
                        continue
                    now = present(shown, output.splitlines()) if update else None
                    if now is None and not is_shown(shown, there):
                        raise PageError(f"is not printed: {shown}\nbut:\n{output}")
                    if now is not None and now.split() != shown.split():
                        text = text.replace(f"\n{shown}\n", f"\n{now}\n", 1)
            elif name:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(body, encoding="utf-8")
        except PageError as error:
            raise PageError(f"{page}:{line}: {error}") from None
    if commands == 0:
        raise PageError(f"{page}: has no block of commands")
    if update:
        page.write_text(text, encoding="utf-8")
    return commands


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--dse", type=pathlib.Path, required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--show", action="store_true", help="print what the commands print")
    parser.add_argument("--update", action="store_true", help="write what is printed now into the page")
    arguments = parser.parse_args()
    path = [arguments.dse.parent, pathlib.Path(sys.executable).parent, os.environ["PATH"]]
    environment = os.environ | {"PATH": ":".join(map(str, path)), "DSE": str(arguments.source),
                                "PYTHONPATH": str(arguments.source / "analysis"), "PYTHONDONTWRITEBYTECODE": "1"}
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            commands = check(arguments.page, pathlib.Path(folder), environment, arguments.show,
                             arguments.update)
        except PageError as error:
            sys.exit(str(error))
    print(f"{arguments.page.name}: {commands} blocks of commands in {time.monotonic() - begin:.1f} s")


if __name__ == "__main__":
    main()
