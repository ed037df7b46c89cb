"""A page that does not hold is found: each of these fails, and what holds does not."""

import os
import pathlib
import tempfile

import check_commands
import run_page

HOLDS = "# mine.txt is no file\n```yaml\n# mine.yaml: one\na: 1\n```\n```sh\ncat mine.yaml; echo took 10.5 s\n```\n"
FAILS = {
    "a command fails": "```sh\nfalse\necho on\n```\n",
    "a command of a pipe fails": "```sh\nfalse | cat\n```\n",
    "a name is not set": "```sh\necho $NOBODY_SETS_THIS\n```\n",
    "a line is not printed": HOLDS + "```text\na: b\n```\n",
    "a number is another": HOLDS + "```text\ntook 12 s\n```\n",
    "no commands": "```python\nprint(1)\n```\n",
}


def outcome(text):
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.md"
        page.write_text(text, encoding="utf-8")
        try:
            run_page.check(page, pathlib.Path(folder), os.environ, show=False)
        except run_page.PageError:
            return "fails"
    return "holds"


def main():
    for shown in ("a: 1", "took  10 s", "…\ntook … s", "10.9 s"):
        assert outcome(f"{HOLDS}```text\n{shown}\n```\n") == "holds", shown
    assert outcome("As `one.json`:\n```json\n{}\n```\n```sh\ntest -s one.json\n```\n") == "holds"
    told = {("run",): "--output", ("et", "check"): "--json"}
    wrong = check_commands.offences("    dse a.yaml --output b\n    dse et check x --jsn\n```sh\ndse pln a.yaml \\\n  --x\n```\n",
                                    lambda *command: told.get(command, ""))
    assert list(wrong) == [(2, "dse et check has no --jsn"), (5, "there is no 'dse pln'")]
    wrong = check_commands.offences("The kind is `dse results`, as `dse a.yaml --output b` and `dse et check --jsn` say.",
                                    lambda *command: told.get(command, ""))
    assert list(wrong) == [(1, "dse et check has no --jsn")]
    for what, text in FAILS.items():
        assert outcome(text) == "fails", what
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.md"
        page.write_text(f"{HOLDS}```text\n  took  12 s\n… 11 s\n```\n", encoding="utf-8")
        run_page.check(page, pathlib.Path(folder), os.environ, show=False, update=True)
        assert page.read_text(encoding="utf-8") == f"{HOLDS}```text\ntook 10.5 s\n… 10.5 s\n```\n"


if __name__ == "__main__":
    main()
