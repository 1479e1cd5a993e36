"""Methods in files of other people: what they declare, and what is said where their code fails.

Such a file is Python code, and runs with the rights of whoever runs the program. So it is run by
the engine alone, when something was asked of it, and never to show a list.
"""

import hashlib
import sys
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from types import ModuleType
from typing import Any

from explorer.api.attribution import AttributionMethod, MethodDescription
from explorer.api.family import UserMistake
from explorer.engine.plugins.border.code import in_words, run_plugin
from explorer.files.foreign import is_special
from explorer.text import N_, Phrase

ENDING = ".py"
MOST_BYTES = 2**20
RIGHTS = N_(
    "A file with a method is code, and may do whatever you may. Run it only if you trust where it "
    "comes from."
)
"""What is said before it is first run."""


@dataclass(frozen=True)
class ForeignMethod:
    """A method that is not the program's.

    Attributes:
        method: What was declared; what its code raises is told as its own fault.
        source: The plugin's title, or the file's name.
        digest: SHA-256 of its file.
    """

    method: AttributionMethod
    source: str
    digest: str


def is_file(name: str) -> bool:
    """Whether a method's name is the path of a file."""
    return PurePath(name).suffix == ENDING


def method_in(path: str, source: str = "") -> ForeignMethod:
    """The method that a file declares; its code is run.

    Args:
        path: Of the file.
        source: Whose it is; "" for the file's name.

    Raises:
        UserMistake: It can't be read, or declares none.
        PluginFault: Its code fails.
    """
    place = Path(path).expanduser()
    name = source or place.name
    try:
        if is_special(place) or place.stat().st_size > MOST_BYTES:
            raise UserMistake(N_("{name} is no file with a method."), name=place.name)
        code = place.read_bytes()
    except OSError as error:
        raise UserMistake(
            N_("{name} can't be read ({error})."), name=place.name, error=in_words(error)
        ) from error
    digest = hashlib.sha256(code).hexdigest()
    method = run_plugin(name, lambda: _declared(code, place, digest))
    if not isinstance(method, AttributionMethod) or not _is_described(method):
        raise UserMistake(
            N_("{name} declares no method: it has to hold METHOD, an AttributionMethod."),
            N_("docs/methods.md shows how one is written."),
            name=place.name,
        )
    asked = method.score
    watched = replace(method, score=lambda given: run_plugin(name, lambda: asked(given)))
    return ForeignMethod(watched, name, digest)


def _declared(code: bytes, place: Path, digest: str) -> Any:
    """What the file holds as METHOD."""
    module = ModuleType(f"explorer_method_{digest[:12]}")
    module.__file__ = str(place)
    # Dataclasses look their module up by its name.
    sys.modules[module.__name__] = module
    exec(compile(code, str(place), "exec"), module.__dict__)  # noqa: S102 - what it is for
    return getattr(module, "METHOD", None)


def _is_described(method: AttributionMethod) -> bool:
    return (
        isinstance(method.name, str)
        and method.name.isidentifier()
        and isinstance(method.about, MethodDescription)
        and callable(method.score)
    )


def title_of(name: str, about: MethodDescription | None) -> Phrase:
    """What a method is called where its declaration may not be here any more."""
    return Phrase(about.title) if about is not None else Phrase("{name}", name=PurePath(name).name)
