"""What a file says of itself where no page shows it: title, caption, language, what made it.

A PDF has it twice, as XMP (ISO 16684-1) and in the dictionary that file managers read; Qt writes
neither the subject nor the language, and no tags, so they follow in an incremental update
(ISO 32000-1, 7.5.6): objects of the same numbers behind the first ones, which stay as they are.
What a page paints is one tagged figure (14.8) with the words that a screen reader says of it.
An SVG has the same RDF as its `metadata`.
"""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QImage, QPdfWriter

from explorer.desktop.files import NAME
from explorer.text.language import current
from explorer.text.printable import on_a_line

_RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{said}</rdf:li></rdf:Alt></dc:description>
<dc:creator><rdf:Seq><rdf:li>{program}</rdf:li></rdf:Seq></dc:creator>
<dc:subject><rdf:Bag>{keywords}</rdf:Bag></dc:subject>
<dc:language><rdf:Bag><rdf:li>{language}</rdf:li></rdf:Bag></dc:language>
<xmp:CreatorTool>{program}</xmp:CreatorTool>
</rdf:Description></rdf:RDF>"""
_XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">{rdf}</x:xmpmeta>
<?xpacket end="w"?>
"""
_KEYWORD = "<rdf:li>{}</rdf:li>"
_FIGURE = b"""/Type /StructElem /S /Figure /P %d 0 R /Pg %d 0 R /K 0 /Alt %s
/A << /O /Layout /Placement /Block /BBox [%s] >>"""
_TRAILER = re.compile(rb"trailer\n<<\n(.*?)\n>>\nstartxref\n(\d+)", re.DOTALL)


@dataclass(frozen=True)
class Metadata:
    """What a file says of itself.

    Attributes:
        title: Its title.
        said: What it shows, and how that came about; "" for nothing.
        keywords: What it is of: the question, its parts, the models.
        pages: What is said of each page in place of it; none where nothing is.
    """

    title: str
    said: str = ""
    keywords: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()

    def begin(self, writer: QPdfWriter) -> None:
        """Tell a writer of a PDF what it can be told, before anything is painted."""
        writer.setTitle(self.title)
        writer.setCreator(NAME)
        writer.setDocumentXmpMetadata(_XMP.format(rdf=self._rdf).encode())

    @property
    def _rdf(self) -> str:
        words = {"title": self.title, "said": self.said, "program": NAME}
        safe = {name: html.escape(_plain(text)) for name, text in words.items()}
        keywords = "".join(_KEYWORD.format(html.escape(_plain(one))) for one in self.keywords)
        return _RDF.format(language=current().code, keywords=keywords, **safe)

    def in_svg(self, svg: str) -> str:
        """An SVG with the rest: subject, author, keywords and language."""
        return svg.replace("<defs>", f"<metadata>{self._rdf}</metadata>\n<defs>", 1)

    def in_pdf(self, pdf: bytes) -> bytes:
        """A PDF with the rest: subject, author, keywords, language and tags."""
        trailer = _TRAILER.search(pdf, pdf.rfind(b"trailer"))
        info, root = _number(trailer, b"Info"), _number(trailer, b"Root")
        known = re.search(
            rb"\n%d 0 obj\n<<\n(/Type /Catalog.*?)\n>>\nendobj" % root, pdf, re.DOTALL
        )
        dates = re.search(rb"/CreationDate \(D:\d+[^)]*\)", pdf)
        if trailer is None or known is None:
            return pdf
        told = {"Title": self.title, "Subject": self.said, "Author": NAME, "Creator": NAME}
        told["Keywords"] = ", ".join(self.keywords)
        entries = [b"/%s %s" % (name.encode(), _text(text)) for name, text in told.items() if text]
        entries += [dates[0]] if dates is not None else []
        catalog = known[1] + b"\n/Lang %s" % _text(current().code)
        catalog += b"\n/ViewerPreferences << /DisplayDocTitle true >>"
        tagged = _tagged(pdf, self.pages, trailer[1]) if self.pages else {}
        if tagged:
            catalog += b"\n/MarkInfo << /Marked true >> /StructTreeRoot %d 0 R" % max(tagged)
        objects = {info: _dictionary(b"\n".join(entries)), root: _dictionary(catalog), **tagged}
        return pdf + _update(objects, trailer[1], int(trailer[2]), len(pdf))

    def in_image(self, image: QImage) -> QImage:
        """An image whose PNG says it (tEXt, iTXt)."""
        keywords = ", ".join(self.keywords)
        told = {"Title": self.title, "Description": self.said, "Keywords": keywords}
        for name, text in told.items():
            if text:
                image.setText(name, _plain(text))
        image.setText("Software", NAME)
        return image


NOTHING = Metadata("")
"""Of a picture that has no title."""


def _tagged(pdf: bytes, words: Sequence[str], trailer: bytes) -> dict[int, bytes]:
    """The objects that make each page one figure, the tree of tags with the highest number.

    Empty where the file has other pages than words, or none as Qt writes them.
    """
    pages = re.findall(rb"\n(\d+) 0 obj\n<<\n(/Type /Page\n.*?)\n>>\nendobj", pdf, re.DOTALL)
    if len(pages) != len(words):
        return {}
    begin, end, first = (_size(trailer) + number for number in range(3))
    tree = first + len(pages)
    found = {begin: _stream(b"/Figure << /MCID 0 >> BDC"), end: _stream(b"EMC")}
    for place, (number, inside) in enumerate(pages):
        box = re.search(rb"/MediaBox \[([^\]]*)\]", inside)
        marked = re.sub(
            rb"/Contents (\d+ 0 R)", rb"/Contents [%d 0 R \1 %d 0 R]" % (begin, end), inside
        )
        found[int(number)] = _dictionary(marked + b"\n/StructParents %d /Tabs /S" % place)
        edges = box[1] if box is not None else b"0 0 0 0"
        told = tree, int(number), _text(words[place]), edges
        found[first + place] = _dictionary(_FIGURE % told)
    figures = [b"%d 0 R" % (first + place) for place, _ in enumerate(pages)]
    parents = b" ".join(b"%d [%s]" % (place, one) for place, one in enumerate(figures))
    found[tree] = _dictionary(
        b"/Type /StructTreeRoot /K [%s] /ParentTreeNextKey %d\n/ParentTree << /Nums [%s] >>"
        % (b" ".join(figures), len(figures), parents)
    )
    return found


def _dictionary(content: bytes) -> bytes:
    return b"<<\n%s\n>>" % content


def _stream(content: bytes) -> bytes:
    return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)


def _size(trailer: bytes) -> int:
    """One more than the highest number of an object."""
    found = re.search(rb"/Size (\d+)", trailer)
    return 0 if found is None else int(found[1])


def _number(trailer: "re.Match[bytes] | None", name: bytes) -> int:
    """Of the object that a trailer names."""
    found = None if trailer is None else re.search(rb"/%s (\d+) 0 R" % name, trailer[1])
    return 0 if found is None else int(found[1])


def _text(text: str) -> bytes:
    """A text string of a PDF: UTF-16 with its byte order mark, in hexadecimal digits."""
    return b"<%s>" % (b"\xfe\xff" + _plain(text).encode("utf-16-be")).hex().encode()


def _plain(text: str) -> str:
    """On one line, without what no reader could show."""
    return on_a_line(" ".join(text.split()))


def _update(objects: dict[int, bytes], trailer: bytes, before: int, start: int) -> bytes:
    """Objects in the place of those with their numbers, where they are, and the trailer again."""
    written, places = b"", {}
    for number, content in objects.items():
        places[number] = start + len(written)
        written += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(
        b"%d 1\n%010d 00000 n \n" % (number, place) for number, place in sorted(places.items())
    )
    end = start + len(written)
    size = max(_size(trailer), max(objects) + 1)
    trailer = re.sub(rb"/Size \d+", b"/Size %d" % size, trailer)
    return (
        written
        + b"xref\n%s" % table
        + b"trailer\n<<\n%s\n/Prev %d\n>>\nstartxref\n%d\n%%%%EOF\n" % (trailer, before, end)
    )
