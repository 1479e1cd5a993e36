"""Pictures for pages that hold a hundred of them: the SVG that Qt writes, a fourth as large.

Qt repeats pen, brush and font for each line that it draws, and counts in thousandths of a pixel.
Nothing that is seen changes: letters stay letters, and each has a font of its own.
"""

import re

_HEAD = re.compile(r"<\?xml.*?\?>|<desc>.*?</desc>|<metadata>.*?</metadata>", re.DOTALL)
_GROUP = re.compile(r"<g ([^>]*)>((?:[^<]|<(?!/?g[ >]))*)</g>")
_FONT = re.compile(r'\s*font-(?:family|size|weight|style)="[^"]*"')
_OPAQUE = re.compile(r'\s*(?:fill|stroke)-opacity="1"')
_MOVED = re.compile(r"matrix\(1,0,0,1,([^,]*),([^)]*)\)")
_TAG = re.compile(r"<[^>]+>")
_FINE = re.compile(r"(?<![\w#])-?\d+\.\d{3,}(?:e-?\d+)?")
_GAPS = re.compile(r">\s*\n\s*<")
_TEXT = re.compile(r"<text [^>]*>")
SHARED = ('font-family="sans-serif"', 'font-weight="400"', 'xml:space="preserve"')
"""What nearly every text says of itself, and the whole picture says for it."""
IN_AN_ADDRESS = str.maketrans({one: f"%{ord(one):02X}" for one in '%#&"\n\r\t'})
"""What would end an address, or mean something else in it."""


def small(svg: str) -> str:
    """The same picture in fewer characters.

    Args:
        svg: As `figure_svg` writes it.
    """
    less = _HEAD.sub("", svg)
    less = _TAG.sub(lambda tag: _FINE.sub(_rounded, _spaced(tag[0])), less)
    less = _GAPS.sub("><", less).strip()
    less = _TEXT.sub(_without_shared, less)
    less = less.replace("<svg ", f"<svg {' '.join(SHARED)} ", 1)
    return _in_few_groups(less)


def address(svg: str) -> str:
    """A picture as an address that holds it: letters as letters, shorter than in base 64."""
    one_quote = _TAG.sub(_in_single_quotes, svg)
    return f"data:image/svg+xml;charset=utf-8,{one_quote.translate(IN_AN_ADDRESS)}"


def _in_single_quotes(tag: re.Match[str]) -> str:
    return tag[0] if "'" in tag[0] else tag[0].replace('"', "'")


def _spaced(tag: str) -> str:
    return re.sub(r"\s+", " ", tag)


def _rounded(number: re.Match[str]) -> str:
    """To hundredths of a pixel."""
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def _without_shared(tag: re.Match[str]) -> str:
    less = tag[0]
    for one in SHARED:
        less = less.replace(f" {one}", "", 1)
    return less


def _in_few_groups(svg: str) -> str:
    """Groups of the same pen, brush and place become one, and empty ones nothing."""
    found: list[str] = []
    opened, end = "", 0
    for group in _GROUP.finditer(svg):
        between, inside = svg[end : group.start()], group[2]
        end = group.end()
        said = _MOVED.sub(r"translate(\1,\2)", _OPAQUE.sub("", _FONT.sub("", group[1])))
        said = said.replace('transform="translate(0,0)"', "").strip()
        if opened and (between or (inside and said != opened)):
            found.append("</g>")
            opened = ""
        found.append(between)
        if inside:
            if not opened:
                found.append(f"<g {said}>")
                opened = said
            found.append(inside)
    return "".join([*found, "</g>" if opened else "", svg[end:]])
