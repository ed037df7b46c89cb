import io

import pytest

from dse_analysis import seal

# XXH3_64bits of the first n of the bytes i * 7 % 256, by xxHash 0.8.1.
KNOWN = {241: 0x541B19226F0052E8, 1024: 0xDC5ACF0B043C445B, 5000: 0x6ABE8BE5ABCB2760}


def sample(count):
    return bytes(index * 7 % 256 for index in range(count))


@pytest.mark.parametrize("count", KNOWN)
def test_checksum_is_xxh3(count):
    assert seal._checksum_by_numpy(io.BytesIO(sample(count)), count) == KNOWN[count]


def test_library_and_numpy_agree():
    library = seal._library()
    if library is None:
        pytest.skip("no libxxhash here")
    for count in [241, 256, 257, 1023, 1025, 1088, 1089, 2048, 2049, 1024 * 1024, 1024 * 1024 + 63, 3_000_001]:
        data = sample(4096) * (count // 4096 + 1)
        numpy = seal._checksum_by_numpy(io.BytesIO(data), count)
        assert numpy == seal._checksum_by_library(library, io.BytesIO(data), count), count


def test_seal_holds_until_a_byte_changes(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(sample(3000))
    assert not seal.is_sealed(path)
    seal.seal(path)
    assert path.stat().st_size == 3000 + seal.SIZE
    assert seal.is_sealed(path)
    for place in range(0, 3016, 13):
        bad = bytearray(path.read_bytes())
        bad[place] ^= 1
        (tmp_path / "bad").write_bytes(bad)
        assert not seal.is_sealed(tmp_path / "bad"), place


def test_what_cannot_be_read_has_no_seal(tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    assert not seal.is_sealed(tmp_path / "empty")
    assert not seal.is_sealed(tmp_path / "missing")


def test_file_that_gets_shorter(tmp_path):
    with pytest.raises(OSError, match="shorter"):
        seal._checksum_by_numpy(io.BytesIO(sample(3000)), 5000)
