"""Grammar of Korean that texts with places need: how a word sounds at its end, and its particle."""

from typing import Final

CODE: Final = "ko"
"""Of the language."""
