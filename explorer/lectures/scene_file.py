"""A scene as a file of TOML: read, with each step's inheritance, and written."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Annotated, Any

import msgspec

from explorer.api.question import UserMistake
from explorer.files.foreign import clause_of
from explorer.lectures import toml_reading as reading
from explorer.lectures.lessons.ask_file import ask_lines, read_ask
from explorer.lectures.scene import Control, Scene, Step, StepWords
from explorer.lectures.toml_writing import line, table_head
from explorer.lectures.words import is_language
from explorer.samples.typed_documents import options_of
from explorer.text import N_

ENDING = ".toml"
KIND = ".scene"
"""What may stand before the ending, for desktops that open scenes by their names."""
MOST_STEPS = 50
MOST_CONTROLS = 10
"""Of a step."""
MOST_CLAIMS = 20
"""Of a step: judging one may take a while."""
MOST_IN_FOCUS = 5
"""Titles of a step."""

Some = Annotated[str, msgspec.Meta(min_length=1)]


class _SceneHead(msgspec.Struct, forbid_unknown_fields=True):
    steps: list[dict[str, Any]]
    chapter: str = ""
    order: int = 0
    shows: tuple[Some, ...] = ()
    sources: tuple[Some, ...] = ()
    minutes: Annotated[int, msgspec.Meta(ge=0)] = 0


class _Title(msgspec.Struct, forbid_unknown_fields=True):
    title: Some


class _SceneWords(msgspec.Struct, forbid_unknown_fields=True):
    look: tuple[Some, ...] = ()
    claim: str = ""


class _Asked(msgspec.Struct, forbid_unknown_fields=True):
    """What is asked, of what; None for what is inherited."""

    question: Some | None = None
    models: Annotated[tuple[Some, ...], msgspec.Meta(max_length=2)] | None = None
    text: str | None = None
    masked: tuple[Some, ...] | None = None
    pair: str | None = None
    pair_masked: tuple[Some, ...] | None = None
    entities: tuple[Some, ...] | None = None
    options: dict[Some, Any] = {}
    unset: tuple[Some, ...] = ()
    top_k: Annotated[int, msgspec.Meta(ge=1)] | None = None


class _SceneStep(_Asked, forbid_unknown_fields=True):
    """What stands in a step."""

    claims: Annotated[tuple[Some, ...], msgspec.Meta(max_length=MOST_CLAIMS)] = ()
    scroll_to: str = ""
    focus: Some | Annotated[tuple[Some, ...], msgspec.Meta(max_length=MOST_IN_FOCUS)] = ()
    controls: Annotated[list[dict[str, Any]], msgspec.Meta(max_length=MOST_CONTROLS)] = []
    ask: dict[str, Any] | None = None


class _Control(_Asked, forbid_unknown_fields=True):
    """What stands in a control: what is another than in its step."""

    fails: tuple[int, ...] | None = None


OWN = frozenset({"options", "words", "claims", "scroll_to", "focus", "controls", "ask", "solution"})
"""What a step has for itself, or writes in a way of its own."""
INHERITED = ("question", "models", "text", "masked", "pair_masked", "entities", "top_k")


def read_scene(content: bytes, file: str) -> Scene:
    """A scene as its file says it.

    Args:
        content: The file's bytes.
        file: Its name: the scene is called so, without the ending.

    Raises:
        UserMistake: One sentence with the file and the key that is wrong.
    """
    whole = reading.table_of(content, file)
    spoken, rest = _parted(whole)
    head = reading.checked(_SceneHead, rest, file)
    if not spoken:
        raise reading.missing("en.title", file)
    if not 0 < len(head.steps) <= MOST_STEPS:
        raise UserMistake(
            N_("{file}: a scene has from 1 to {most} steps."),
            reading.SEE,
            file=file,
            most=MOST_STEPS,
        )
    steps: list[Step] = []
    for number, entry in enumerate(head.steps):
        steps.append(_step(entry, steps[-1] if steps else None, file, f"steps[{number}]"))
    return Scene(
        name=file.removesuffix(ENDING).removesuffix(KIND),
        steps=tuple(steps),
        chapter=head.chapter,
        order=head.order,
        shows=head.shows,
        sources=head.sources,
        titles={
            code: reading.checked(_Title, words, file, code).title for code, words in spoken.items()
        },
        minutes=head.minutes,
    )


def _parted(table: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The words in each language, and all other keys."""
    spoken = {
        key: value for key, value in table.items() if is_language(key) and isinstance(value, dict)
    }
    return spoken, {key: value for key, value in table.items() if key not in spoken}


def _step(entry: Mapping[str, Any], before: Step | None, file: str, place: str) -> Step:
    """A step, with what it inherits from the one before."""
    spoken, rest = _parted(entry)
    said = reading.checked(_SceneStep, rest, file, place)
    if before is None and said.question is None:
        raise reading.missing(f"{place}.question", file)
    words = {
        code: reading.checked(_SceneWords, one, file, f"{place}.{code}")
        for code, one in spoken.items()
    }
    step = replace(
        _asked(said, rest, before or Step(question=""), file, place),
        claims=said.claims,
        scroll_to=said.scroll_to,
        focus=(said.focus,) if isinstance(said.focus, str) else said.focus,
        words={code: StepWords(one.look, one.claim) for code, one in words.items()},
    )
    controls = [
        _control(one, step, file, f"{place}.controls[{number}]")
        for number, one in enumerate(said.controls)
    ]
    step = replace(step, controls=tuple(controls))
    return step if said.ask is None else _asking(said.ask, step, file, f"{place}.ask")


def _asking(table: Mapping[str, Any], step: Step, file: str, place: str) -> Step:
    """A step that asks something, and how what is to be done in it is done."""
    ask, entry = read_ask(table, file, place)
    if entry is None:
        return replace(step, ask=ask)
    if not isinstance(entry, dict):
        raise reading.not_a("object", f"{place}.solution", file)
    said = reading.checked(_Asked, entry, file, f"{place}.solution")
    return replace(step, ask=ask, solution=_asked(said, entry, step, file, f"{place}.solution"))


def _control(entry: Mapping[str, Any], step: Step, file: str, place: str) -> Control:
    """A control, with what it inherits from its step."""
    said = reading.checked(_Control, entry, file, place)
    numbers = range(1, len(step.claims) + 1)
    fails = tuple(numbers) if said.fails is None else said.fails
    if not fails or not set(fails) <= set(numbers):
        raise UserMistake(
            N_("{file}: the key {key} must name claims of its step, from 1 to {most}."),
            reading.SEE,
            file=file,
            key=f"{place}.fails",
            most=len(step.claims),
        )
    asked = _asked(said, entry, step, file, place)
    return Control(asked, tuple(number - 1 for number in fails))


def _asked(said: _Asked, rest: Mapping[str, Any], base: Step, file: str, place: str) -> Step:
    """What is asked where all else is as in another step; it claims and says nothing yet."""
    own = {key: getattr(said, key) for key in INHERITED if getattr(said, key) is not None}
    step = replace(base, **own, claims=(), words={}, scroll_to="", focus=(), controls=())
    step = replace(step, ask=None, solution=None)
    if said.pair is not None:
        # TOML has no None: an empty text takes the second one away, and what is masked in it.
        step = replace(step, pair=said.pair or None)
        if step.pair is None:
            step = replace(step, pair_masked=())
    step = replace(step, options=_options(rest, step, file, place))
    try:
        step.document()
    except UserMistake as error:
        raise reading.within(error, f"{place}.masked", file) from error
    return step


def _options(rest: Mapping[str, Any], step: Step, file: str, place: str) -> dict[str, object]:
    """All options of a step: those of the step before, and its own on top of them."""
    from explorer.questions.former_names import option_today

    options = dict(step.options)
    try:
        own = list(options_of(rest))
    except (ValueError, TypeError) as error:
        raise UserMistake(
            N_("{file}: the key {key} can't be read ({problem})."),
            reading.SEE,
            file=file,
            key=f"{place}.options",
            problem=clause_of(error) if isinstance(error, ValueError) else error,
        ) from error
    for key, value in own:
        today = option_today(key if "." in key else f"{step.question}.{key}")
        if value is None:
            options.pop(today.key, None)
        else:
            options[today.key] = value if today.become is None else today.become(value)
    return options


def scene_text(scene: Scene) -> str:
    """A scene as TOML, which `read_scene` reads as the same scene.

    Raises:
        ValueError: TOML can't hold what is in it.
    """
    lines = [
        *([line("chapter", scene.chapter)] if scene.chapter else []),
        *([line("order", scene.order)] if scene.order else []),
        *([line("shows", scene.shows)] if scene.shows else []),
        *([line("sources", scene.sources)] if scene.sources else []),
        *([line("minutes", scene.minutes)] if scene.minutes else []),
    ]
    for code, title in scene.titles.items():
        lines += ["", table_head(code), line("title", title)]
    before: Step | None = None
    for step in scene.steps:
        lines += ["", "[[steps]]", *_step_lines(step, before)]
        for code, words in step.words.items():
            lines += ["", table_head(f"steps.{code}"), line("look", words.look)]
            if words.claim:
                lines.append(line("claim", words.claim))
        for control in step.controls:
            lines += ["", "[[steps.controls]]", *_step_lines(control.step, step)]
            if control.fails != tuple(range(len(step.claims))):
                lines.append(line("fails", [place + 1 for place in control.fails]))
        lines += _ask_of(step)
        before = step
    return "\n".join(lines).lstrip("\n") + "\n"


def _ask_of(step: Step) -> Sequence[str]:
    if step.ask is None:
        return ()
    lines = list(ask_lines(step.ask))
    if step.solution is not None:
        lines += ["", table_head("steps.ask.solution"), *_step_lines(step.solution, step)]
    return lines


def _step_lines(step: Step, before: Step | None) -> list[str]:
    """The keys in which a step is another one than the step before."""
    base = before or Step(question="")
    lines = []
    for one in fields(Step):
        value = getattr(step, one.name)
        if one.name in OWN or value == getattr(base, one.name):
            continue
        lines.append(line(one.name, "" if value is None else value))
    gone = [key for key in base.options if key not in step.options]
    changed = {
        key: value
        for key, value in step.options.items()
        if key not in base.options or not _is_same(base.options[key], value)
    }
    if gone:
        lines.append(line("unset", gone))
    if changed:
        lines.append(line("options", {key: _held(value) for key, value in changed.items()}))
    if step.scroll_to:
        lines.append(line("scroll_to", step.scroll_to))
    if step.focus:
        only = step.focus[0] if len(step.focus) == 1 else step.focus
        lines.append(line("focus", only))
    if step.claims:
        lines.append(line("claims", step.claims))
    return lines


def _is_same(one: object, other: object) -> bool:
    """Whether two options are the same, as JSON has them: 1 is not true, nor 1.0."""
    return msgspec.json.encode(one) == msgspec.json.encode(other)


def _held(value: object) -> object:
    """An option as TOML can hold it: what has a null in it is written as JSON."""
    is_wrapped = isinstance(value, dict) and value.keys() == {"json"}
    if is_wrapped or _has_none(value):
        return {"json": msgspec.json.encode(value).decode("utf-8")}
    return value


def _has_none(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_none, value.values()))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return any(map(_has_none, value))
    return value is None
