"""What pages are made of: blocks that are frozen values, drawn alike on screen and in exports.

It shows all that a page may import of the window; what lies deeper is the window's own.
"""

from explorer.faces import face

__getattr__, __dir__ = face(__name__)
