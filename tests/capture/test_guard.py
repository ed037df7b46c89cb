"""What a capture script says when it fails."""

import argparse

import guard
from capture_arguments import CaptureError

OPTIONS = argparse.Namespace(target="mymodel:step", traceback=False)


def test_a_capture_that_works_says_nothing(capsys):
    seen = []
    assert guard.exit_code("x_capture.py", OPTIONS, seen.append) == 0
    assert seen == [OPTIONS] and capsys.readouterr() == ("", "")


def test_what_the_user_wrote_wrong_is_said_as_it_is(capsys):
    def capture(_):
        raise CaptureError("the mesh has no axis")

    assert guard.exit_code("x_capture.py", OPTIONS, capture) == 2
    assert capsys.readouterr().err == "x_capture.py: error: the mesh has no axis\n"


def test_what_the_users_code_raises_names_the_code_and_the_kind(capsys):
    def capture(_):
        raise KeyError("wq")

    assert guard.exit_code("x_capture.py", OPTIONS, capture) == 2
    assert capsys.readouterr().err == "x_capture.py: error: mymodel:step: KeyError: 'wq'\n"
    assert guard.exit_code("x_capture.py", argparse.Namespace(target="m:f", traceback=True), capture) == 2
    assert "Traceback" in capsys.readouterr().err
