"""The seal at the end of a results file: a checksum (XXH3) of everything before it.

The checksum is computed by libxxhash, which is installed with dse, at gigabytes per second. If it is missing,
numpy is used instead, at a tenth of that speed, so that reading results requires only h5py and pandas.
Source: the specification of XXH3 in xxHash 0.8 (doc/xxhash_spec.md), 64 bits, without a seed, for more than
240 bytes.
"""

import ctypes
import ctypes.util
import functools
import pathlib

import numpy as np

MARK = b"dse seal"
SIZE = len(MARK) + 8

_MASK = (1 << 64) - 1
_PRIME32 = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
_PRIME64 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
_SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
    "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")
_STRIPE = 64
_BLOCK = 1024
_BLOCKS_AT_ONCE = 1024
_BYTES_AT_ONCE = 1 << 20
_SHORTEST = 241


def is_sealed(path):
    """Return whether a file is unchanged since it was sealed; False also if it cannot be read."""
    try:
        with open(path, "rb") as file:
            size = file.seek(0, 2) - SIZE
            if size < _SHORTEST:
                return False
            file.seek(size)
            seal = file.read(SIZE)
            file.seek(0)
            return seal[:len(MARK)] == MARK and seal[len(MARK):] == _checksum(file, size).to_bytes(8, "little")
    except OSError:
        return False


def seal(path):
    """Seal a results file that was written or modified by a program other than dse."""
    path = pathlib.Path(path)
    with open(path, "rb") as file:
        size = file.seek(0, 2)
        file.seek(0)
        checksum = _checksum(file, size)
    with open(path, "ab") as file:
        file.write(MARK + checksum.to_bytes(8, "little"))


def _words(data, offset=0, count=-1):
    return np.frombuffer(data, dtype="<u8", count=count, offset=offset)


def _sums(stripes, keys):
    """Return what stripes add to the accumulators. Their order does not matter, since these are only sums.

    Parameters
    ----------
    stripes : numpy.ndarray of uint64, shape (..., n_stripes, 8)
    keys : numpy.ndarray of uint64, shape (n_stripes, 8)

    Returns
    -------
    numpy.ndarray of uint64, shape (..., 8)
    """
    mixed = stripes ^ keys
    products = (mixed & np.uint64(0xFFFFFFFF)) * (mixed >> np.uint64(32))
    swapped = stripes.reshape(*stripes.shape[:-1], 4, 2)[..., ::-1].reshape(stripes.shape)
    return (products + swapped).sum(axis=-2, dtype=np.uint64)


def _scramble(accumulators, sums, key):
    """Add the sums of whole blocks to the accumulators, and scramble these after each block."""
    shifted, shift, prime = np.empty_like(accumulators), np.uint64(47), np.uint64(_PRIME32[0])
    for block in sums:
        np.add(accumulators, block, out=accumulators)
        np.right_shift(accumulators, shift, out=shifted)
        np.bitwise_xor(accumulators, shifted, out=accumulators)
        np.bitwise_xor(accumulators, key, out=accumulators)
        np.multiply(accumulators, prime, out=accumulators)


def _fold(a, b):
    product = a * b
    return (product & _MASK) ^ (product >> 64)


def _checksum(file, size):
    """Return the XXH3 of the next `size` bytes of a file."""
    library = _library()
    return _checksum_by_numpy(file, size) if library is None else _checksum_by_library(library, file, size)


@functools.cache
def _library():
    """Return libxxhash, or None if it is not installed."""
    try:
        library = ctypes.CDLL(ctypes.util.find_library("xxhash") or "libxxhash.so.0")
        library.XXH3_createState.restype = ctypes.c_void_p
        library.XXH3_64bits_digest.restype = ctypes.c_uint64
        library.XXH3_64bits_digest.argtypes = library.XXH3_64bits_reset.argtypes = [ctypes.c_void_p]
        library.XXH3_freeState.argtypes = [ctypes.c_void_p]
        library.XXH3_64bits_update.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
        return library
    except (OSError, AttributeError):
        return None


def _checksum_by_library(library, file, size):
    state = library.XXH3_createState()
    try:
        library.XXH3_64bits_reset(state)
        for first in range(0, size, _BYTES_AT_ONCE):
            data = _read(file, min(_BYTES_AT_ONCE, size - first))
            library.XXH3_64bits_update(state, data, len(data))
        return library.XXH3_64bits_digest(state)
    finally:
        library.XXH3_freeState(state)


def _checksum_by_numpy(file, size):
    keys = np.stack([_words(_SECRET, 8 * stripe, 8) for stripe in range(_BLOCK // _STRIPE)])
    accumulators = np.array([_PRIME32[2], *_PRIME64[:4], _PRIME32[1], _PRIME64[4], _PRIME32[0]], dtype=np.uint64)
    scramble_key = _words(_SECRET, len(_SECRET) - _STRIPE, 8)
    blocks = (size - 1) // _BLOCK
    last = b""
    for first in range(0, blocks, _BLOCKS_AT_ONCE):
        count = min(_BLOCKS_AT_ONCE, blocks - first)
        last = _read(file, count * _BLOCK)
        sums = _sums(_words(last).reshape(count, _BLOCK // _STRIPE, 8), keys)
        _scramble(accumulators, sums, scramble_key)
    rest = _read(file, size - blocks * _BLOCK)
    stripes = (len(rest) - 1) // _STRIPE
    accumulators = accumulators + _sums(_words(rest, 0, 8 * stripes).reshape(stripes, 8), keys[:stripes])
    end = (last[-_STRIPE:] + rest)[-_STRIPE:]
    accumulators = accumulators + _sums(_words(end).reshape(1, 8),
                                        _words(_SECRET, len(_SECRET) - _STRIPE - 7, 8).reshape(1, 8))
    return _merged([int(value) for value in accumulators], size)


def _merged(accumulators, size):
    result = size * _PRIME64[0]
    for pair in range(4):
        low, high = (int(word) for word in _words(_SECRET, 11 + 16 * pair, 2))
        result += _fold(accumulators[2 * pair] ^ low, accumulators[2 * pair + 1] ^ high)
    result &= _MASK
    result ^= result >> 37
    result = result * 0x165667919E3779F9 & _MASK
    return result ^ (result >> 32)


def _read(file, count):
    data = file.read(count)
    if len(data) < count:
        raise OSError("the file got shorter while it was read")
    return data
