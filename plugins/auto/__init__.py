"""Any other model of transformers: what can be found in its files and proved on loading."""

from .family import GenericFamily
from .tiny import tiny

__all__ = ["FAMILY", "tiny"]

FAMILY = GenericFamily()
