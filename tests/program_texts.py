"""Every text of the program, collected once for all tests of a worker that ask for it."""

from functools import cache

from babel.messages.catalog import Catalog

from explorer.text import catalogues


@cache
def collected() -> Catalog:
    """As `catalogues.collect` finds them."""
    return catalogues.collect()
