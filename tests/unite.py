"""Write one source that holds several tests: unite.py RESULT SOURCE..., see cmake/DseUnity.cmake.

Tests are closed worlds: all that they declare stands in an unnamed namespace, and nothing follows it. That namespace
is put into one named after the source, so that helpers of two tests may have one name.
"""

import pathlib
import re
import sys


def closed(source):
    """Return a test's text with its unnamed namespaces in one of its own, and includes that need no folder."""
    def include(match):
        beside = source.parent / match[1]
        return f'#include "{beside}"' if beside.exists() else match[0]

    text = re.sub(r'^#include "(.+)"', include, source.read_text(), flags=re.M)
    text = re.sub(r"^namespace \{$", f"namespace of_{source.stem} {{ namespace {{", text, flags=re.M)
    return re.sub(r"^\}  // namespace$", "}}", text, flags=re.M)


def main():
    """Write the result."""
    result, *sources = map(pathlib.Path, sys.argv[1:])
    result.write_text("".join(f'#line 1 "{source}"\n{closed(source)}\n' for source in sources))


if __name__ == "__main__":
    main()
