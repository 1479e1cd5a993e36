"""Licences as SPDX writes them: model cards on the hub have the same names in small letters."""

from explorer.text import N_

_AS_SPDX = {
    one.lower(): one
    for one in (
        *("AFL-3.0", "AGPL-3.0", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0"),
        *("CC-BY-3.0", "CC-BY-4.0", "CC-BY-SA-3.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0"),
        *("CC-BY-NC-SA-4.0", "CC-BY-NC-ND-4.0", "CC-BY-ND-4.0", "GPL-2.0", "GPL-3.0"),
        *("LGPL-3.0", "MIT", "MPL-2.0", "MS-PL", "Unlicense"),
    )
}
"""Those that models are published under, by their names on the hub."""

UNNAMED = (N_("not stated"), N_("not released"))
"""What plugins write of a model whose authors name no licence."""


def spdx_name(licence: str) -> str:
    """A licence as SPDX writes it; as it is where that knows no such name."""
    return _AS_SPDX.get(licence.lower(), licence)
