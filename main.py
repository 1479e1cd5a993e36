"""Start PLM Explorer; on a fresh machine it first makes its own environment.

This file must be readable by any Python 3, so that an old one gets a sentence and not a
SyntaxError. Importing it does nothing: a process that a library starts may do so.
"""

import os
import sys

if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036  pip's check does not cover this file
        sys.stderr.write(
            "PLM Explorer needs Python 3.11 or newer; this is Python "
            + sys.version.split()[0]
            + " ("
            + sys.executable
            + "). Start it with a newer one, for example: python3.12 main.py\n"
        )
        sys.exit(2)
    from explorer.bootstrap import start

    sys.exit(start(os.path.dirname(os.path.abspath(__file__)), sys.argv[1:]))  # noqa: PTH100,PTH120
