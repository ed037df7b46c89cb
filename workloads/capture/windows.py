"""How many products a convolution really takes: positions in padding and in holes are none (XLA's rule)."""


def valid_positions(inputs, kernel, outputs, stride=1, before=0, input_dilation=1, kernel_dilation=1):
    """Return in how many pairs (kernel index, output index) of one dimension an input stands.

    Parameters
    ----------
    inputs, kernel, outputs : int
        Sizes of the dimension.
    stride : int
        Step of the window.
    before : int
        Padding in front, negative where the input is cut.
    input_dilation, kernel_dilation : int
        Distance of neighbours once holes are put between them.
    """
    count = 0
    for k in range(kernel):
        for o in range(outputs):
            position = o * stride + k * kernel_dilation - before
            count += 0 <= position <= (inputs - 1) * input_dilation and position % input_dilation == 0
    return count
