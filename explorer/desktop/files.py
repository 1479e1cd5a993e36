"""What a Linux desktop reads of a program: its entry, and the kinds of files it knows.

Written as freedesktop.org's Desktop Entry Specification and Shared MIME-info Database say.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from explorer.paths import APP_NAME
from explorer.text import N_
from explorer.text import language as languages

NAME = "PLM Explorer"
SCENE_TYPE = "application/vnd.plm-explorer.scene+toml"
LECTURE_TYPE = "application/vnd.plm-explorer.lecture+zip"
DOCUMENT_TYPE = "application/vnd.plm-explorer.document"
COMMENT = N_("Look inside pretrained language models")
KINDS = (
    (SCENE_TYPE, "application/toml", "*.scene.toml", N_("Scene of PLM Explorer")),
    (LECTURE_TYPE, "application/zip", "*.lecture.zip", N_("Lecture of PLM Explorer")),
    (DOCUMENT_TYPE, "text/plain", "*.plm", N_("Document of PLM Explorer")),
)
"""Type, the type it is a case of, names of files, and what it is called.

Names with two endings: every .toml file and every .zip file stays what it was.
"""

_ESCAPED = {" ": r"\s", "\n": r"\n", "\t": r"\t", "\r": r"\r"}


def desktop_entry(command: Sequence[str], texts: Path) -> str:
    """The text of plm-explorer.desktop.

    Args:
        command: What is run; the opened file is put behind it.
        texts: The catalogues; the entry speaks all their languages.
    """
    lines = [
        "[Desktop Entry]",
        "Type=Application",
        "Version=1.0",
        f"Name={NAME}",
        *_in_all_languages("GenericName", N_("Explorer of language models"), texts),
        *_in_all_languages("Comment", COMMENT, texts),
        f"Exec={' '.join(map(_quoted, command))} %f",
        f"Icon={APP_NAME}",
        "Terminal=false",
        "Categories=Education;ArtificialIntelligence;",
        "Keywords=BERT;GPT;NLP;attention;transformer;",
        f"MimeType={''.join(f'{kind};' for kind, *_rest in KINDS)}",
        f"StartupWMClass={APP_NAME}",
        "StartupNotify=true",
    ]
    return "\n".join(lines) + "\n"


def mime_package(texts: Path) -> str:
    """The text of the file that tells the desktop the kinds of files."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">',
    ]
    for kind, parent, names, title in KINDS:
        lines += [
            f"  <mime-type type={quoteattr(kind)}>",
            f"    <comment>{escape(title)}</comment>",
            *(
                f"    <comment xml:lang={quoteattr(code)}>{escape(said)}</comment>"
                for code, said in _translations(title, texts)
            ),
            f"    <sub-class-of type={quoteattr(parent)}/>",
            # Above the 50 of *.toml and *.zip.
            f'    <glob pattern={quoteattr(names)} weight="60"/>',
            f"    <icon name={quoteattr(APP_NAME)}/>",
            "  </mime-type>",
        ]
    return "\n".join([*lines, "</mime-info>", ""])


def _in_all_languages(key: str, text: str, texts: Path) -> Iterable[str]:
    yield f"{key}={text}"
    for code, said in _translations(text, texts):
        yield f"{key}[{code}]={said}"


def _translations(text: str, texts: Path) -> Iterable[tuple[str, str]]:
    for code in languages.available(texts):
        found = languages.find(code, texts)
        said = text if found is None else found.texts.gettext(text)
        if said != text:
            yield code, said


def _quoted(word: str) -> str:
    """A word of Exec: quoted for its own rules, then escaped as every string of the file is."""
    inside = "".join(f"\\{letter}" if letter in '"`$\\' else letter for letter in word)
    quoted = f'"{inside}"'.replace("%", "%%")
    escaped = quoted.replace("\\", "\\\\")
    return "".join(_ESCAPED[one] if one in "\n\t\r" else one for one in escaped)
