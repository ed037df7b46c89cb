"""Values of a long axis."""

from collections.abc import Sequence


class Range(Sequence):
    """Equally spaced numbers that are not stored: what Python's range is for integers."""

    def __init__(self, first, step, count):
        self._first, self._step, self._count = first, step, count

    def __len__(self):
        return self._count

    def __getitem__(self, place):
        if isinstance(place, slice):
            first, stop, stride = place.indices(self._count)
            return Range(self._first + first * self._step, stride * self._step, len(range(first, stop, stride)))
        return self._first + range(self._count)[place] * self._step

    def __contains__(self, value):
        place = round((value - self._first) / self._step)
        return 0 <= place < self._count and self[place] == value

    def __eq__(self, other):
        if not isinstance(other, Range):
            return NotImplemented
        return (self._first, self._step, self._count) == (other._first, other._step, other._count)

    def __hash__(self):
        return hash((self._first, self._step, self._count))

    def __repr__(self):
        return f"Range({self._first!r}, {self._step!r}, {self._count})"
