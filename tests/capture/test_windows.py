"""Products of a convolution that are not with padding or holes, counted by hand."""

import windows


def test_no_padding_counts_every_pair():
    # Windows of 3 over 5 inputs fit at 3 places: 9 pairs.
    assert windows.valid_positions(5, 3, 3) == 9


def test_padding_is_left_out():
    # 4 inputs padded by one at both ends, windows of 3: the two at the ends lose a product each, 4 * 3 - 2.
    assert windows.valid_positions(4, 3, 4, before=1) == 10


def test_stride_steps_the_window():
    # Windows at -1, 1, 3 over 0..3: (0, 1), (1, 2, 3), (3) stand on inputs after cutting: 2 + 3 + 1.
    assert windows.valid_positions(4, 3, 3, stride=2, before=1) == 6


def test_holes_between_inputs_are_left_out():
    # Inputs at 0, 2, 4 of 5 places; windows of 2 at 0..3 see the places (0,1) (1,2) (2,3) (3,4): one input each.
    assert windows.valid_positions(3, 2, 4, input_dilation=2) == 4


def test_a_kernel_with_holes():
    # Kernel at o and o + 2 over 4 inputs: outputs 0 and 1, both whole.
    assert windows.valid_positions(4, 2, 2, kernel_dilation=2) == 4


def test_negative_padding_cuts_the_input():
    # One input is cut: windows of 1 at inputs 1, 2, 3 and, beyond the end, 4.
    assert windows.valid_positions(4, 1, 4, before=-1) == 3
