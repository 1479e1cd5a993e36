"""What runs models, where the program came without it: made at the first start.

A thin bundle has a Python, the window's packages and uv. torch, which is most of a whole
installation and differs from machine to machine, is fetched when the user says so, by the lock that
came with the bundle: every file's hash is in it. A checkout, and what pip installed, have no bundle
and know nothing of this.
"""

from explorer.engine.environment.bundle import Bundle, Package, Variant, bundle
from explorer.engine.environment.place import PackagesFolder

__all__ = ["Bundle", "Package", "PackagesFolder", "Variant", "bundle"]
