"""Builds the documentation as a site, every link checked.

Usage: make_site.py --dse DSE FOLDER; leaves FOLDER/site/index.html

Pages are those of docs/, the README of each folder that people edit, and a reference that the program prints of itself.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Pages that lie elsewhere in the repository, by their name in the site.
MOVED = {"README.md": "index.md", "CONTRIBUTING.md": "CONTRIBUTING.md", "CHANGELOG.md": "CHANGELOG.md",
         "slurm/README.md": "slurm.md", "packaging/README.md": "packaging.md",
         "hardware/README.md": "hardware.md", "workloads/README.md": "workloads.md"}
LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]*)?\))")
FAMILIES = {"fields": ["fields"], "metrics": ["metrics"], "operators": ["operators"], "passes": ["passes"],
            "names": ["models", "clusters", "devices", "stacks", "templates", "compute", "network", "engines", "samplers",
                      "searches"]}


def place(target):
    """The page of the site that a file of the repository is, or None."""
    name = target.relative_to(ROOT).as_posix()
    return MOVED.get(name) or (name.removeprefix("docs/") if name.startswith("docs/") else None)


def moved_links(text, folder, page):
    """The text with links relative to its place in the site; to files that are no pages only their name is left."""
    def moved(match):
        if "://" in match[2]:
            return match[0]
        target = (folder / match[2]).resolve()
        if target.is_dir() and (target / "README.md").exists():
            target /= "README.md"
        if not target.exists():
            raise SystemExit(f"{page}: links to {match[2]}, which is not there")
        there = place(target)
        if there is None or target.is_dir():
            return f"]({'../' * page.count('/')}index.md{match[3][-1:]}"
        up = "../" * page.count("/")
        return f"]({up}{there}{match[3]}"
    return LINK.sub(moved, text)


def write_page(pages, source, page):
    """Copy a page, its links turned."""
    file = pages / page
    file.parent.mkdir(parents=True, exist_ok=True)
    if source.suffix != ".md":
        shutil.copy(source, file)
        return
    file.write_text(moved_links(source.read_text(encoding="utf-8"), source.parent, page), encoding="utf-8")


def printed(dse, *arguments):
    """What the program prints."""
    return subprocess.run([dse, *arguments], check=True, capture_output=True, text=True, cwd=ROOT).stdout


def escaped(text):
    """Text for a cell of a table."""
    return text.replace("|", "\\|").replace("<", "&lt;")


def family_page(dse, families):
    """A table of each family, as `dse list` has it."""
    lines = [f"# {families[0].capitalize() if len(families) == 1 else 'Names'}", ""]
    for family in families:
        lines += [f"## {family}" if len(families) > 1 else "", "", "| name | |", "|---|---|"]
        for row in json.loads(printed(dse, "list", family, "--json"))["rows"]:
            description = row["description"].replace(f"{ROOT}/", "")
            lines.append(f"| `{row['name']}` | {escaped(description)} |")
        lines.append("")
    return "\n".join(lines)


def command_names(dse):
    """The commands that --help lists."""
    block = printed(dse, "--help").split("Commands", 1)[1].split("Options:", 1)[0]
    return re.findall(r"^  (\w+) ", block, re.MULTILINE)


def commands_page(dse):
    """What each command says of itself."""
    parts = ["# Commands\n"]
    for command in command_names(dse):
        parts.append(f"## dse {command}\n\n```text\n{printed(dse, command, '--help').rstrip()}\n```\n")
    return "\n".join(parts)


def write_reference(pages, dse):
    folder = pages / "reference"
    folder.mkdir()
    (folder / "commands.md").write_text(commands_page(dse), encoding="utf-8")
    for page, families in FAMILIES.items():
        (folder / f"{page}.md").write_text(family_page(dse, families), encoding="utf-8")


def write_configuration(folder, names):
    """The configuration, with pages that it does not name under "More"."""
    text = (ROOT / "docs" / "site" / "mkdocs.yml").read_text(encoding="utf-8")
    more = sorted(name for name in names if name.endswith(".md") and not re.search(rf"[\s\[]{re.escape(name)}\b", text))
    if more:
        text += f"  - More: [{', '.join(more)}]\n"
    (folder / "mkdocs.yml").write_text(text, encoding="utf-8")


def add_reports(pages, dse):
    """Run the sweep of each picture of the gallery and link its interactive report below the picture."""
    page = pages / "gallery.md"
    text = page.read_text(encoding="utf-8")
    (pages / "gallery").mkdir()
    for picture, name in re.findall(r"(!\[[^]]*\]\(figures/gallery/(\w+)\.png\))", text):
        results, report = pages.parent / f"{name}.h5", f"gallery/{name}.html"
        printed(dse, f"sweeps/{name}.yaml", "-o", str(results.resolve()), "--progress", "none")
        printed(dse, "report", str(results.resolve()), "-o", str((pages / report).resolve()))
        results.unlink()
        text = text.replace(picture, f"{picture}\n\n[The report of this sweep]({report})")
    page.write_text(text, encoding="utf-8")


def make_api(folder):
    """Write the reference of the public headers to folder/api, where doxygen is there; return its exit code, 1 after a warning."""
    doxygen = shutil.which("doxygen")
    if doxygen is None:
        print("no doxygen: the site has no API reference")
        return 0
    settings = (ROOT / "docs" / "site" / "Doxyfile").read_text(encoding="utf-8") + f'OUTPUT_DIRECTORY = "{folder.resolve()}"\n'
    return subprocess.run([doxygen, "-"], input=settings, text=True, cwd=ROOT, stdout=subprocess.DEVNULL, check=False).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dse", type=pathlib.Path, required=True)
    parser.add_argument("--reports", action="store_true", help="with the reports of the gallery's sweeps: minutes")
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    try:
        import mkdocs  # noqa: F401
    except ImportError:
        sys.exit("no mkdocs: see analysis/requirements.txt")
    dse = arguments.dse.resolve()
    pages = arguments.folder / "pages"
    shutil.rmtree(arguments.folder, ignore_errors=True)
    pages.mkdir(parents=True)
    sources = {place(file): file for file in (ROOT / "docs").rglob("*")
               if file.is_file() and (ROOT / "docs" / "site") not in file.parents}
    sources |= {page: ROOT / name for name, page in MOVED.items()}
    for page, source in sources.items():
        write_page(pages, source, page)
    write_reference(pages, dse)
    if arguments.reports:
        add_reports(pages, dse)
    write_configuration(arguments.folder, sources)
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    code = subprocess.run(build, cwd=arguments.folder, env=environment, check=False).returncode
    sys.exit(code or make_api(arguments.folder / "site"))


if __name__ == "__main__":
    main()
