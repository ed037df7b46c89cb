"""Tests that are compiled as one keep their helpers to themselves."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

UNITE = pathlib.Path(__file__).resolve().parent.parent / "unite.py"
TEST = """#include "{own}"

namespace dse {{
namespace {{

int helper() {{
    return {value};
}}

}}  // namespace
}}  // namespace dse
"""


class Unite(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        (self.root / "beside.hpp").write_text("#pragma once\n", encoding="utf-8")

    def tearDown(self):
        self.folder.cleanup()

    def unite(self, **texts):
        sources = []
        for name, text in texts.items():
            sources.append(self.root / f"{name}_test.cpp")
            sources[-1].write_text(text, encoding="utf-8")
        command = [sys.executable, str(UNITE), str(self.root / "all.cpp"), *map(str, sources)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_helpers_of_one_name(self):
        result = self.unite(first=TEST.format(own="beside.hpp", value=1), second=TEST.format(own="vector", value=2))
        self.assertEqual(result.returncode, 0, result.stderr)
        text = (self.root / "all.cpp").read_text(encoding="utf-8")
        self.assertIn("namespace of_first_test { namespace {", text)
        self.assertIn("namespace of_second_test { namespace {", text)
        self.assertEqual(text.count("{"), text.count("}"))
        self.assertIn(f'#include "{self.root}/beside.hpp"', text)  # the result lies in another folder
        self.assertIn('#include "vector"', text)
        self.assertIn(f'#line 1 "{self.root}/second_test.cpp"', text)

    def test_helpers_that_would_leak(self):
        result = self.unite(open="namespace dse {\nint helper();\n}  // namespace dse\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn("open_test.cpp:1: a test stands between", result.stderr)


if __name__ == "__main__":
    unittest.main()
