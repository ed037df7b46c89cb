"""Write one source that holds several tests: unite.py RESULT SOURCE..., see cmake/DseUnity.cmake.

All that a test declares for itself stands in an unnamed namespace, the tests too. That namespace is put into one named
after the source, so that helpers of two tests may have one name.
"""

import pathlib
import re
import sys

OPENS = re.compile(r"^namespace \{$", re.M)
CLOSES = re.compile(r"^\}  // namespace$", re.M)


def closed(source):
    """Return a test's text with its unnamed namespaces in one of its own, and includes that need no folder."""
    def include(match):
        beside = source.parent / match[1]
        return f'#include "{beside}"' if beside.exists() else match[0]

    text = source.read_text(encoding="utf-8")
    opens = len(OPENS.findall(text))
    if opens == 0 or opens != len(CLOSES.findall(text)):
        sys.exit(f"{source}:1: a test stands between lines 'namespace {{' and '}}  // namespace'")
    text = re.sub(r'^#include "(.+)"', include, text, flags=re.M)
    return CLOSES.sub("}}", OPENS.sub(f"namespace of_{source.stem} {{ namespace {{", text))


def main():
    """Write the result."""
    result, *sources = map(pathlib.Path, sys.argv[1:])
    texts = [f'#line 1 "{source}"\n{closed(source)}\n' for source in sources]
    result.write_text("".join(texts), encoding="utf-8")


if __name__ == "__main__":
    main()
