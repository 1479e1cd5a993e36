"""What a question may import: what it declares, what its answer is made of, what it asks models.

It stands on the standard library and numpy, and imports neither torch nor Qt.
"""

from explorer.faces import face

__getattr__, __dir__ = face(__name__)
