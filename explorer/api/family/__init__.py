"""What the plugin of a family may import: the model's side of the interface.

It stands on the standard library and numpy, and imports no torch.
"""

from explorer.faces import face

__getattr__, __dir__ = face(__name__)
