"""What a plugin may import, with the standard library and numpy only."""

from explorer.faces import face

__getattr__, __dir__ = face(__name__)
