"""The page itself: content, scripts and styles in one file that needs no network."""

import html
import json
import pathlib

from plotly.offline import get_plotlyjs

from dse_analysis.report.content import page_content
from dse_analysis.whole_file import whole_file

_FOLDER = pathlib.Path(__file__).resolve().parent / "web"

# In the order in which a browser reads them: each uses only what stands before it.
_SCRIPTS = ("data.js", "parts.js", "fronts.js", "parallel.js", "best.js", "breakdown.js", "feasibility.js", "importance.js",
            "convergence.js", "provenance.js", "main.js")


def write_page(table, path):
    """Write the interactive page of a sweep.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.
    path : str or os.PathLike
    """
    text = page_text(page_content(table))
    with whole_file(path) as file:
        file.write(text.encode())


def page_text(content):
    """Return the HTML of a page.

    Parameters
    ----------
    content : dict
        As `page_content` returns it.

    Returns
    -------
    str
    """
    # A text of the sweep must not end the element that it stands in.
    data = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    scripts = "\n".join(_read(name) for name in _SCRIPTS)
    parts = {"title": html.escape(content["name"]), "style": _read("page.css"), "data": data, "plotly": get_plotlyjs(),
             "scripts": scripts}
    page = _read("page.html")
    for name, text in parts.items():
        before, mark, after = page.partition("{{" + name + "}}")
        assert mark, name
        parts[name] = before + text
        page = after
    return "".join(parts.values()) + page


def _read(name):
    return (_FOLDER / name).read_text(encoding="utf-8")
