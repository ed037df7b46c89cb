"""Output files that are whole or do not exist."""

import errno
import pathlib

import pytest

from dse_analysis.whole_file import whole_file


def test_content_is_written_at_the_end(tmp_path):
    path = tmp_path / "a.txt"
    with whole_file(path) as file:
        file.write(b"half")
        assert not path.exists()
        file.write(b" and half")
    assert path.read_bytes() == b"half and half"


def test_nothing_is_written_by_a_block_that_fails(tmp_path):
    with pytest.raises(ValueError), whole_file(tmp_path / "a.txt") as file:
        file.write(b"half")
        raise ValueError
    assert not (tmp_path / "a.txt").exists()


def test_a_file_that_cannot_be_whole_is_removed(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"

    def disk_is_full(self, content):
        with open(self, "wb") as file:
            file.write(content[:2])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pathlib.Path, "write_bytes", disk_is_full)
    with pytest.raises(OSError, match="cannot write .*a.txt': No space left on device"), whole_file(path) as file:
        file.write(b"whole")
    assert not path.exists()


def test_a_device_is_not_removed():
    with pytest.raises(OSError, match="No space left"), whole_file("/dev/full") as file:
        file.write(b"x")
    assert pathlib.Path("/dev/full").exists()
