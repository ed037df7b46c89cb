import importlib

import pytest

from dse_analysis.script import answered, exit_code, validated_rows, write_rows


@exit_code(ArithmeticError)
def script(arguments=None):
    if arguments:
        raise arguments[0]


@pytest.mark.parametrize("error, shown", [
    (ValueError("no rows"), "dse: no rows\n"),
    (KeyError("seconds"), "dse: the input has no 'seconds'\n"),
    (ZeroDivisionError("of the weights"), "dse: of the weights\n"),
])
def test_errors_of_the_input_are_printed_without_a_traceback(error, shown, capsys):
    assert script([error]) == 2
    assert capsys.readouterr().err == shown


def test_rows_of_a_program_are_its_answer_whatever_its_exit_code(tmp_path):
    program = tmp_path / "dse"
    program.write_text('#!/bin/sh\necho "{\\"rows\\": [\\"$3 in $(basename $PWD)\\"]}"\nexit 1\n')
    program.chmod(0o755)
    (tmp_path / "data").mkdir()
    assert validated_rows(str(program), "rows.csv", tmp_path / "data") == ["rows.csv in data"]
    program.write_text("#!/bin/sh\necho dse: no such table >&2\n")
    with pytest.raises(RuntimeError, match="^dse: no such table$"):
        validated_rows(str(program), "rows.csv")


def test_points_are_answered_by_one_process(tmp_path):
    program = tmp_path / "dse"
    sweep, points = {"name": "of_two"}, [{"tp": 1}, {"tp": 2}]
    program.write_text('#!/bin/sh\nread one; read two\n'
                       'echo "{\\"status\\": \\"ok\\", \\"file\\": \\"$(basename $2)\\", \\"asked\\": $one}"\n'
                       'echo "{\\"status\\": \\"ok\\", \\"asked\\": $two}"\n')
    program.chmod(0o755)
    first, second = answered(str(program), tmp_path, sweep, points)
    assert first == {"status": "ok", "file": "of_two.yaml", "asked": {"values": {"tp": 1}}}
    assert second["asked"] == {"values": {"tp": 2}}
    program.write_text('#!/bin/sh\necho "{\\"status\\": \\"ok\\"}"\necho "{\\"status\\": \\"infeasible\\", \\"reason\\": \\"no memory\\"}"\n')
    with pytest.raises(ValueError, match="^no memory$"):
        answered(str(program), tmp_path, sweep, points)
    program.write_text("#!/bin/sh\necho dse: no such axis >&2\n")
    with pytest.raises(ValueError, match="^dse: no such axis$"):
        answered(str(program), tmp_path, sweep, points)


def test_rows_are_written_below_the_names_of_their_columns(tmp_path):
    write_rows(tmp_path / "rows.csv", ["row", "log"], [{"row": "A", "log": 0.5}, {"row": "B, C", "log": 1}])
    assert (tmp_path / "rows.csv").read_bytes() == b'row,log\nA,0.5\n"B, C",1\n'


def test_other_errors_are_bugs():
    assert script() == 0
    with pytest.raises(TypeError):
        script([TypeError("a bug")])


@pytest.mark.parametrize("name, arguments", [
    ("leave_group_out", ["absent.csv", "--dse", "dse"]),
    ("fit_errors", ["--data", "absent.folder"]),
    ("searches", ["absent.yaml", "--dse", "dse", "--grid", "absent.h5", "--budget", "10"]),
    ("proven", ["absent.yaml", "--dse", "dse"]),
])
def test_files_that_do_not_exist_are_named(name, arguments, capsys):
    assert importlib.import_module(f"dse_analysis.{name}").main(arguments) == 2
    assert "absent." in capsys.readouterr().err
