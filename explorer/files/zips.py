"""Zip files of other people: what the standard library raises for them."""

import lzma
import zipfile
import zlib

DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
"""For one that is cut off, locked, packed in a way that is not known, or none at all."""
