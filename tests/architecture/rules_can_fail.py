"""Plant one offence a rule in a copy of the project's skeleton and see the rule name its place."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
FLOORS = """base:
config: base
hardware: base config
ir/program: base
ir/readers: base ir/program
ir: base ir/program ir/readers
model: base config hardware ir
"""


class RulesCanFail(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.write("include/dse/base/units.hpp", "#pragma once\n")
        self.write("include/dse/model/roofline.hpp", '#pragma once\n#include "dse/hardware/device.hpp"\n')
        self.write("include/dse/hardware/device.hpp", '#pragma once\n#include "dse/base/units.hpp"\n')
        self.write("src/config/reader.cpp", "#include <yaml-cpp/yaml.h>\n")
        self.write("tests/config/reader_test.cpp", '#include "dse/config/reader.hpp"\n')
        self.write("floors.txt", FLOORS)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_rule(self, rule):
        command = [sys.executable, str(HERE / f"check_{rule}.py"), str(self.root)]
        command += [str(self.root / "floors.txt")] if rule == "floors" else []
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        return result.returncode, result.stdout + result.stderr

    def assert_planted(self, rule, name, text, complaint):
        clean, output = self.run_rule(rule)
        self.assertEqual(clean, 0, output)
        self.write(name, text)
        planted, output = self.run_rule(rule)
        self.assertEqual(planted, 1, output)
        self.assertIn(complaint, output)

    def test_upward_include(self):
        self.assert_planted("floors", "include/dse/hardware/link.hpp",
                            '#pragma once\n\n#include "dse/model/roofline.hpp"\n',
                            "include/dse/hardware/link.hpp:3: hardware may not include model")

    def test_upward_include_by_private_path(self):
        self.assert_planted("floors", "src/config/x.cpp", '#include "model/detail.hpp"\n',
                            "src/config/x.cpp:1: config may not include model")

    def test_upward_include_of_a_test(self):
        self.assert_planted("floors", "tests/base/x_test.cpp", '#include "dse/config/reader.hpp"\n',
                            "tests/base/x_test.cpp:1: base may not include config")

    def test_include_of_a_part_that_stands_above(self):
        self.write("src/ir/readers/x.cpp", '#include "dse/ir/program/y.hpp"\n')
        self.assert_planted("floors", "src/ir/program/x.cpp", '#include "dse/ir/readers/y.hpp"\n',
                            "src/ir/program/x.cpp:1: ir/program may not include ir/readers")

    def test_include_of_a_module_by_its_part(self):
        self.assert_planted("floors", "src/ir/program/x.cpp", '#include "ir/z.hpp"\n',
                            "src/ir/program/x.cpp:1: ir/program may not include ir")

    def test_parts_of_a_module_that_is_allowed(self):
        self.write("src/model/x.cpp", '#include "dse/ir/readers/y.hpp"\n')
        self.write("tests/ir/program/x_test.cpp", '#include "dse/ir/readers/y.hpp"\n')
        self.assertEqual(self.run_rule("floors")[0], 0)

    def test_module_outside_the_table(self):
        self.assert_planted("floors", "src/utils/x.cpp", "\n", "src/utils/x.cpp:1: no module of this name")

    def test_library_outside_its_owner(self):
        self.assert_planted("owners", "src/hardware/device_yaml.cpp", "#include <yaml-cpp/yaml.h>\n",
                            "src/hardware/device_yaml.cpp:1: hardware may not include <yaml-cpp/yaml.h>")

    def test_library_in_a_public_header(self):
        self.assert_planted("owners", "include/dse/config/node.hpp", "#pragma once\n#include <yaml-cpp/yaml.h>\n",
                            "include/dse/config/node.hpp:2: <yaml-cpp/yaml.h> in a public header")

    def test_source_without_test(self):
        self.assert_planted("mirror", "src/config/quantity.cpp", "\n",
                            "src/config/quantity.cpp:1: no test tests/config/quantity_test.cpp")

    def test_source_that_another_test_names(self):
        self.write("src/config/quantity.cpp", "\n")
        self.write("tests/config/reader_test.cpp", "// Also tests: quantity.cpp\n")
        self.assertEqual(self.run_rule("mirror")[0], 0)

    def test_name_of_no_source(self):
        self.assert_planted("mirror", "tests/config/x_test.cpp", "// Also tests: quality.cpp\n",
                            "tests/config/x_test.cpp:1: names quality.cpp, which is not in src/config")

    def test_unfinished_business(self):
        self.assert_planted("words", "src/base/x.cpp", "int x;\n// TO" "DO later\n", "src/base/x.cpp:2: 'TO" "DO'")

    def test_path_of_one_machine(self):
        self.assert_planted("words", "sweeps/x.yaml", "file: /ho" "me/ada/x.csv\n", "sweeps/x.yaml:1:")

    def test_long_function(self):
        body = '    const char* brace = "}";  // }\n    if (x) {\n        f();\n    }\n' * 40
        self.assert_planted("sizes", "src/base/long.cpp", f"namespace dse {{\n\nvoid run(int x) {{\n{body}}}\n\n}}\n",
                            "src/base/long.cpp:3: run has 162 lines (limit 120)")

    def test_long_file(self):
        self.assert_planted("sizes", "src/base/long.cpp", "int x;\n" * 601, "src/base/long.cpp:1: 601 lines")


if __name__ == "__main__":
    unittest.main()
