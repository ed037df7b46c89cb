#!/usr/bin/env python3
"""Uses `dse` as people do who are careless, unlucky or in a hurry, and checks what comes of it.

    hostile_user.py --dse BUILD/dse --sweep sweeps/smoke.yaml [-v]

Nothing may end by a signal, call bad input an internal error (3), end with 0 where nothing was done, or lose a file that
exists. What goes wrong is said in words.
"""

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PATIENCE = 120.0  # seconds before a command counts as hung


class HostileUser(unittest.TestCase):
    """Each test has a folder of its own, with the finished results of a small sweep."""

    dse = ""
    sweep = ""

    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.TemporaryDirectory()
        cls.finished = Path(cls.shared.name) / "finished.h5"
        subprocess.run([cls.dse, cls.sweep, "-o", cls.finished, "--parts", "none"], check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.shared.cleanup()

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)
        self.results = self.folder / "results.h5"
        self.results.write_bytes(self.finished.read_bytes())

    def run_dse(self, *arguments, **options):
        return subprocess.run([self.dse, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE, check=False,
                              cwd=self.folder, stdin=subprocess.DEVNULL, **options)

    def refused(self, why, *arguments, **options):
        """The command must end with 2 and say why, in one message."""
        done = self.run_dse(*arguments, **options)
        self.assertEqual(done.returncode, 2, f"{arguments}: {done.stderr}")
        self.assertIn(why, done.stderr)
        self.assertEqual(done.stderr.count("dse: "), 1, done.stderr)

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_a_full_disk_is_said(self):
        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

        self.refused("cannot write to 'merged.h5.unfinished': File too large", "merge", self.results, "-o", "merged.h5",
                     preexec_fn=small_files)
        self.refused("File too large", "export", self.results, "-o", "rows.csv", preexec_fn=small_files)
        self.assertEqual(self.files(), ["results.h5"])

    def test_a_sweep_that_meets_a_full_disk_goes_on_later(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (60000, 60000))

        first = self.run_dse(self.sweep, "-o", "new.h5", "--limit", "20", "--parts", "none")
        self.assertEqual(first.returncode, 0, first.stderr)
        self.refused("File too large", self.sweep, "-o", "new.h5", "--parts", "none", preexec_fn=small_files)
        again = self.run_dse(self.sweep, "-o", "new.h5", "--parts", "none")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(self.run_dse("diff", self.results, "new.h5").returncode, 0)

    def test_a_loop_of_links_is_no_file(self):
        (self.folder / "loop.h5").symlink_to("loop.h5")
        for arguments in [(self.sweep, "-o", "loop.h5"), ("merge", self.results, "-o", "loop.h5"), ("best", "loop.h5"),
                          ("report", "loop.h5"), ("export", "loop.h5", "--csv")]:
            with self.subTest(arguments):
                self.refused("Too many levels of symbolic links", *arguments)

    def test_a_folder_for_temporary_files_is_missing(self):
        for arguments in [("best", self.results), ("export", self.results, "--csv"), ("parts", self.results),
                          ("report", self.results, "-o", "figure.png")]:
            with self.subTest(arguments):
                self.refused("there is no folder for temporary files: TMPDIR is /no/such/folder", *arguments,
                             env={**os.environ, "TMPDIR": "/no/such/folder"})

    def test_a_folder_may_stand_where_a_file_should(self):
        (self.folder / "new.h5.previous").mkdir()
        (self.folder / "new.h5.previous/kept").touch()
        (self.folder / "new.h5").write_bytes(self.finished.read_bytes())
        again = self.run_dse(self.sweep, "-o", "new.h5", "--fresh")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual((self.folder / "new.h5.previous.2").read_bytes(), self.finished.read_bytes())
        self.assertTrue((self.folder / "new.h5.previous/kept").exists())
        (self.folder / "config.json").write_text('{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, '
                                                 '"num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100}')
        self.refused("Not a directory", "import", "config.json", "-o", "config.json")

    def test_force_does_not_overwrite_what_is_read(self):
        sweep = self.folder / "sweep.yaml"
        sweep.write_bytes(Path(self.sweep).read_bytes())
        traced = self.run_dse("trace", sweep, "--set", "zero=3", "--ranks", "0", "-o", "trace")
        self.assertEqual(traced.returncode, 0, traced.stderr)
        (self.folder / "link.csv").symlink_to(self.results)
        for arguments in [("export", self.results, "--csv", "-o", self.results), ("export", self.results, "-o", "link.csv"),
                          ("point", sweep, "--timeline", sweep), ("et", "json", "trace.0.et", "-o", "trace.0.et")]:
            with self.subTest(arguments):
                kept = {path: path.read_bytes() for path in self.folder.iterdir()}
                self.refused("this command reads it", *arguments, "--force")
                self.assertEqual({path: path.read_bytes() for path in self.folder.iterdir()}, kept)

    def test_an_empty_value_is_no_default(self):
        for arguments in [(self.sweep, "-o", ""), ("pareto", self.results, "--by", ""), ("best", self.results, "--objectives", ""),
                          ("export", self.results, "-o", "")]:
            with self.subTest(arguments):
                self.refused("has no value", *arguments)
        self.refused("the first argument is empty", "")

    def test_a_condition_is_no_number(self):
        self.refused("'tp' is an integer, not a condition (compare it, as in 'tp == 0')", "best", self.results, "--where", "tp")

    def test_numbers_are_not_taken_for_others(self):
        for arguments in [("diff", self.results, self.results, "--top"), ("sensitivity", self.results, "--prices"),
                          ("synth", "sample", "llm.model", "-o", "graphs", "--seed"), ("verify", self.results, "--points")]:
            for number in ("-1", "99999999999999999999", "1e400", "nan"):
                with self.subTest((*arguments, number)):
                    self.refused(f"'{number}' is not a whole number from 0 to 2^53", *arguments, number)
        for arguments in [("diff", self.results, self.results, "--tolerance"), ("validate", "--bound"),
                          ("fit", "h100_sxm", "-o", "fitted.yaml", "--nccl", "log.txt", "--link")]:
            self.refused("nan is not between", *arguments, "nan")
        self.refused("there is no stage 9: stages are 0 to 0", "point", self.sweep, "--timeline", "t.json", "--timeline-stages", "9")

    def test_metrics_are_listed_once(self):
        known = self.run_dse("pareto", self.results, "--objectives", "nothing_like_it").stderr
        names = known[known.index("(known: ") + 8:known.rindex(")")].split(", ")
        self.assertEqual(len(set(names)), len(names), known)

    def test_output_that_nobody_reads(self):
        for arguments in [("export", self.results, "--csv"), ("schema", "sweep"), ("--help",), ("best", self.results)]:
            with self.subTest(arguments):
                closed = self.run_dse(*arguments, preexec_fn=lambda: os.close(1))
                self.assertEqual((closed.returncode, closed.stderr.count("dse: ")), (2, 1), closed.stderr)
                command = subprocess.Popen([self.dse, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                command.stdout.read(1)
                command.stdout.close()
                self.assertIn(command.wait(PATIENCE), (0, -signal.SIGPIPE))
                self.assertEqual(command.stderr.read(), b"")
                command.stderr.close()

    def test_help_fits_the_terminal(self):
        for width in (60, 80, 120):
            text = self.run_dse("--help", env={**os.environ, "COLUMNS": str(width)}).stdout
            longest = max(text.splitlines(), key=len)
            self.assertLessEqual(len(longest), max(width, 72), longest)

    def test_a_hangup_stops_like_an_interrupt(self):
        text = Path(self.sweep).read_text(encoding="utf-8").replace("microbatch: [1, 2]", "microbatch: {from: 1, to: 4000}")
        large = self.folder / "large.yaml"
        large.write_text(text.replace("  - global_batch % (dp * microbatch) == 0\n", ""), encoding="utf-8")
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                output = f"large_{number}.h5"
                command = subprocess.Popen([self.dse, str(large), "-o", output], cwd=self.folder, stderr=subprocess.PIPE,
                                           stdout=subprocess.DEVNULL, text=True)
                end = time.monotonic() + PATIENCE
                while not any(self.folder.glob(f"{output}.shards/rank-*")) and time.monotonic() < end:
                    time.sleep(0.01)
                command.send_signal(number)
                _, said = command.communicate(timeout=PATIENCE)
                self.assertEqual(command.returncode, 4, said)
                self.assertIn("The same command resumes it.", said)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dse", required=True)
    parser.add_argument("--sweep", required=True)
    options, rest = parser.parse_known_args()
    HostileUser.dse = str(Path(options.dse).resolve())
    HostileUser.sweep = str(Path(options.sweep).resolve())
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
