"""How long the functions of a C++ file are, found by matching braces."""

import re

# Comments, string and character literals; a digit separator (1'000) is not a literal.
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'',
                   re.DOTALL)
NOT_A_FUNCTION = re.compile(r"\b(namespace|class|struct|union|enum|concept|extern)\b")
DIRECTIVE = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)


def without_noise(text):
    """Return `text` with comments, literals and directives blanked and every line break kept."""
    blank = re.compile(r"[^\n]")
    for pattern in (NOISE, DIRECTIVE):
        text = pattern.sub(lambda match: blank.sub(" ", match.group(0)), text)
    return text


def function_lengths(text):
    """Return [(first line, name, number of lines)] of the outermost function bodies of a C++ text."""
    found, opened, inside, head, head_line, line = [], [], None, "", 1, 1
    for character in without_noise(text):
        if character == "{":
            opened.append(line)
            is_function = inside is None and "(" in head and not NOT_A_FUNCTION.search(head.split("(")[0])
            if is_function:
                name = re.search(r"([\w:~]+|operator\S*)\s*\(", head)
                inside = (len(opened), head_line, name.group(1) if name else "?")
            head = ""
        elif character == "}":
            if inside and inside[0] == len(opened):
                found.append((inside[1], inside[2], line - inside[1] + 1))
                inside = None
            if opened:
                opened.pop()
            head = ""
        elif character == ";":
            head = ""
        else:
            if not head.strip():
                head, head_line = "", line
            head += character
        line += character == "\n"
    return found
