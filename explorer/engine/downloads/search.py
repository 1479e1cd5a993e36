"""Models of the hub found by words, as huggingface_hub's list_models asks for them."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from explorer.api.family import Cancelled, ExplorerError, UserMistake
from explorer.api.question import Failure
from explorer.engine.downloads.download import Tell, download_size
from explorer.engine.downloads.hub import NONSENSE, ask_hub, is_id, not_understood, shown_endpoint
from explorer.engine.downloads.offered import MOST_FOUND, FoundModel
from explorer.engine.library.licence_names import spdx_name
from explorer.text import N_
from explorer.text.printable import brief

LONGEST = 200
"""Characters of what is searched for."""
MOST_OF_A_KIND = 8
"""Architectures or languages that are told of a model; a few are made for a hundred languages."""
_AT_ONCE = 4
"""Sizes that are asked for together."""
_EXPANDED = ("cardData", "config", "downloads", "gated", "library_name")


def search_hub(
    words: str,
    cache: Path | None,
    progress: Tell,
    is_cancelled: Callable[[], bool],
    *,
    knows: Callable[[str], bool] = lambda _model_type: True,
    offline: bool = False,
) -> tuple[FoundModel, ...]:
    """The most downloaded models whose names have some words; nothing is fetched of them.

    Args:
        words: What is searched for.
        cache: The Hugging Face cache, by which is told what is here already.
        progress: Told how many sizes are known.
        is_cancelled: Asked ten times a second.
        knows: Whether a family here knows a model_type.
        offline: Refuse.

    Raises:
        Cancelled: As soon as it was.
        UserMistake: Offline, or nothing was searched for.
        CheckpointFault: The hub's answer makes no sense.
        MachineFault: The hub can't be reached.
    """
    searched = " ".join(words.split())
    if offline:
        raise UserMistake(
            N_("The hub can't be searched: the program is offline."),
            N_("Start it without --offline to search."),
        )
    if not searched or len(searched) > LONGEST:
        raise UserMistake(
            N_("The hub is searched for one word at least, and for {longest} characters at most."),
            N_("Type words of a model's name, such as korean bert."),
            longest=LONGEST,
        )
    progress(N_("Asking the hub"), 0.0, 0.0, "")
    asked = {"search": searched, "sort": "downloads", "limit": MOST_FOUND, "expand": _EXPANDED}
    told = ask_hub(f"?{urlencode(asked, doseq=True)}", "", is_cancelled)
    try:
        rows = {one.id: one for one in map(_read, told[:MOST_FOUND]) if is_id(one.id)}
    except NONSENSE as error:
        raise not_understood("") from error
    types = {one.model_type for one in rows.values()} - {""}
    strange = {one for one in types if not knows(one)}

    left = threading.Event()

    def is_over() -> bool:
        return left.is_set() or is_cancelled()

    def measured(one: FoundModel) -> FoundModel:
        try:
            size = download_size(one.id, cache, is_over)
            return replace(one, size=size, is_known=one.model_type not in strange)
        except Cancelled:
            raise
        except ExplorerError as error:
            return replace(one, problem=replace(Failure.of(error), traceback=""))

    found: list[FoundModel] = []
    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="sizes") as pool:
        try:
            for one in pool.map(measured, rows.values()):
                found.append(one)
                progress(N_("Asking how large they are"), len(found), len(rows), "")
        finally:
            # Whoever stops waiting, with Ctrl-C say, need not wait for a hub that is silent.
            left.set()
    return tuple(found)


def _read(told: Any) -> FoundModel:
    """What the hub says of a model beside its size."""
    config, card = told.get("config") or {}, told.get("cardData") or {}
    return FoundModel(
        str(told["id"]),
        f"{shown_endpoint()}/{told['id']}",
        library=_first(told.get("library_name")),
        model_type=_first(config.get("model_type")),
        architectures=_texts(config.get("architectures")),
        languages=_texts(card.get("language")),
        licence=spdx_name(_first(card.get("license"))),
        is_gated=bool(told.get("gated")),
        downloads=max(0, int(told.get("downloads") or 0)),
    )


def _texts(told: Any) -> tuple[str, ...]:
    """Texts of a card, which their authors write as one or as a list, if they do."""
    many = told if isinstance(told, list) else [told]
    return tuple(brief(one, 60) for one in many[:MOST_OF_A_KIND] if isinstance(one, str))


def _first(told: Any) -> str:
    return next(iter(_texts(told)), "")
