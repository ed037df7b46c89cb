"""What a fit writes: sections of a YAML file, and lines that say how good they are."""

import numpy as np


class FitError(ValueError):
    """The measurements cannot be fitted; the message, intended for users, says why."""


class TooFewRowsError(FitError):
    """The rows of one class of kernels are too few to fit its constants."""


class Fitted:
    """Sections of a YAML file with a source for each number, and lines to print."""

    def __init__(self, source):
        self.source = source
        self.sections = {}
        self.report = []
        self.warnings = []

    def warn(self, text):
        self.warnings.append(f"warning: {text}")

    def add(self, path, value, unit="", source=""):
        """Add a number. `path`: names of its sections, outermost first, and its own, separated by dots; `source`: if it is not fitted."""
        *outer, name = path.split(".")
        section = self.sections
        for key in outer:
            section = section.setdefault(key, {})
        section[name] = f"{{value: {float(f'{value:.4g}'):g}{unit}, source: \"{source or self.source}\"}}"

    def errors(self, name, errors):
        size = np.abs(errors)
        self.report.append(f"{name:22} {len(size):6} rows  held out: median {np.median(size):.1%}  mean {size.mean():.1%}  "
                           f"p90 {np.quantile(size, 0.9):.1%}  bias {np.median(errors):+.1%}")

    def text(self, head):
        return "\n".join([*head, *self.lines(self.sections, "")]) + "\n"

    def lines(self, section, indent):
        for name, value in section.items():
            if isinstance(value, dict):
                yield f"{indent}{name}:"
                yield from self.lines(value, indent + "  ")
            else:
                yield f"{indent}{name}: {value}"
