"""All names of both faces, as plugins written before there were two import them.

The program and its own plugins import from `explorer.api.family` and `explorer.api.question`.
"""

from explorer.faces import face

__getattr__, __dir__ = face(__name__)
