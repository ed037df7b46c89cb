import io

from dse_analysis.progress import watched


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_is_told_how_far_a_reading_is():
    stream = Terminal()
    assert list(watched([[1, 2], [3]], 3, stream)) == [[1, 2], [3]]
    assert "reading rows:  66 %" in stream.getvalue() and "reading rows: 100 %" in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[K")  # and the line is cleared


def test_nothing_else_is_written_to():
    stream = io.StringIO()
    assert list(watched([[1]], 1, stream)) == [[1]] and stream.getvalue() == ""
