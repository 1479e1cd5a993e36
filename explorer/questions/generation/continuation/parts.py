"""The text with its new tokens, all steps, what one of them was chosen from, and the rounds."""

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.api.question import (
    Amount,
    Amounts,
    Cards,
    Choices,
    Gesture,
    Manner,
    OneCard,
    OneChoice,
    OwnPicture,
    Put,
    Puts,
    Rows,
    Said,
    Sets,
    column,
    sets,
)
from explorer.document import Mask
from explorer.questions.generation.continuation.options import AT, TAKEN
from explorer.questions.generation.continuation.question import (
    Alternative,
    ContinuationRequest,
    ContinuationResult,
    WrittenToken,
)
from explorer.questions.generation.continuation.rows import (
    NAMES,
    AlternativeRow,
    NewTokenRow,
    alternatives,
    steps,
)
from explorer.questions.generation.continuation.wording import (
    ABOUT,
    ABOUT_GIBBS,
    APART,
    CHOSEN_FROM,
    DRAWN_FROM,
    GIBBS,
    about_token,
    cuts_said,
    shown_text,
)
from explorer.text import N_, Phrase
from explorer.text.printable import shortened

TEXT, EXACTLY, PINNED, BEAMS, CUT = "text", "exactly", "pinned", "beams", "cut"
"""What the page draws itself."""


@dataclass(frozen=True)
class RoundRow:
    """The text after a round of Gibbs sampling."""

    number: int = column(N_("Round"), key=True)
    text: str = column(N_("text"), wraps=True)


def parts(
    result: ContinuationResult,
    at: tuple[int, ...] = (),
    request: ContinuationRequest | None = None,
) -> Iterator[Said | Amounts | OwnPicture | Choices | Cards | Rows]:
    """The text, the tree of beams, one step beside all of them, the rounds.

    Args:
        result: The answer.
        at: The step whose alternatives are shown.
        request: What was asked.
    """
    request, step = request or ContinuationRequest(""), result.step_at(at)
    if result.gibbs:
        yield Said(GIBBS, Manner.WARNING)
    if not result.tokens:
        return
    yield _numbers(result)
    yield OwnPicture(TEXT)
    about, gesture = (ABOUT_GIBBS, DRAWN_FROM) if result.gibbs else (ABOUT, CHOSEN_FROM)
    yield Said(about, Manner.ABOUT, near=True)
    yield Said(gesture, Manner.HINT, near=True)
    yield OwnPicture(EXACTLY)
    if result.apart:
        yield Said(APART, Manner.ABOUT, near=True)
    if any(token.taken for token in result.tokens):
        own = OneChoice(
            N_("Let the model choose all tokens"),
            take(request, (), Phrase(N_("the model’s own tokens"))),
        )
        yield Choices((own,))
    yield OwnPicture(PINNED)
    if result.tree:
        yield OwnPicture(BEAMS)
    token = result.tokens[step]
    title = Phrase(N_("Step {step}: “{token}”"), step=step + 1, token=shown_text(token))
    yield Cards(
        (
            OneCard(N_("All steps"), (_steps(result, step),)),
            OneCard(title, tuple(_step(result, request, step))),
        ),
        framed=False,
    )
    if len(result.texts) > 1:
        rounds = tuple(RoundRow(n, text.strip()) for n, text in enumerate(result.texts, start=1))
        yield Rows(RoundRow, rounds, title=N_("Round by round"), in_files=False)


def _numbers(result: ContinuationResult) -> Amounts:
    mean = result.mean_surprisal
    total = None if result.gibbs else -sum(one.surprisal for one in result.tokens)
    return Amounts(
        (
            Amount("tokens", N_("new tokens"), len(result.tokens)),
            Amount(
                "mean_surprisal",
                N_("mean surprisal"),
                mean,
                N_("nats"),
                digits=2,
                words=N_("The mean of −ln p over the new tokens, by the model itself."),
            ),
            Amount(
                "log_probability",
                N_("log-probability"),
                total,
                N_("nats"),
                digits=2,
                words=N_("The sum of ln p over the new tokens."),
            ),
        ),
        in_summary=False,
        in_files=False,
    )


def take(request: ContinuationRequest, pieces: tuple[str, ...], word: str) -> Sets:
    """The gesture of going on from these pieces.

    Args:
        request: What was asked: pieces go with their text.
        pieces: All new ones up to the last that is taken.
        word: That one.
    """
    values = {TAKEN.key: TAKEN.written_in(request, pieces), AT.key: None}
    return Sets(values, Phrase(N_("take {word}"), word=f"'{shortened(word, 20)}'"))


def look_at(step: int) -> Sets:
    """The gesture of choosing a step."""
    return sets(AT, (step,), Phrase(N_("look at step {step}"), step=step + 1))


def _steps(result: ContinuationResult, chosen: int) -> Rows:
    """All steps; their bars are surprisals."""
    return Rows(
        NewTokenRow,
        steps(result),
        bar="surprisal",
        gesture=lambda row: look_at(row.step - 1),
        words=lambda row: about_token(result.tokens[row.step - 1], row.step - 1),
        chosen=lambda row: row.step == chosen + 1,
        drops_empty=True,
        title=N_("steps"),
    )


def _step(
    result: ContinuationResult, request: ContinuationRequest, step: int
) -> Iterator[Rows | OwnPicture | Said]:
    """The candidates: the model's probability, and below it what was drawn with."""
    token = result.tokens[step]
    by_id = {one.id: one for one in token.alternatives}

    def gesture(row: AlternativeRow) -> Gesture | None:
        return _instead(result, request, step, by_id[row.id])

    def words(row: AlternativeRow) -> Phrase:
        can = gesture(row) is not None
        return _about(by_id[row.id], token, can_take=can, puts=result.gibbs)

    yield Rows(
        AlternativeRow,
        alternatives(result),
        bar="probability",
        # As the curves of where it is cut.
        bars={"probability": "bar", "share": "bar_second"} if token.cuts else {},
        scale=(0.0, 1.0),
        gesture=gesture,
        words=words,
        chosen=lambda row: row.id == token.id,
        drawn=lambda row: row.step == step + 1,
        title=N_("alternatives"),
    )
    yield OwnPicture(CUT)
    said = cuts_said(token)
    if said:
        yield Said(said, near=True)
        yield Said(
            N_("The upper bar is the model’s probability, the lower one what was drawn with."),
            near=True,
        )


def _instead(
    result: ContinuationResult, request: ContinuationRequest, step: int, one: Alternative
) -> Gesture | None:
    """The gesture of having another token: to go on from it, or to put it in a mask's place."""
    token = result.tokens[step]
    if one.id == token.id:
        return None
    if not result.gibbs:
        before = tuple(taken.token for taken in result.tokens[:step])
        return take(request, (*before, one.token), one.word)
    assert token.position is not None
    mask = result.prompt[token.position]
    if mask.end > len(request.text):  # behind the text
        return None
    return Puts((Put(Mask(mask.start, mask.end), one.word),))


def _about(one: Alternative, token: WrittenToken, *, can_take: bool, puts: bool) -> Phrase:
    values = {"word": one.word, "token": one.token, "id": one.id}
    said = [Phrase(N_("“{word}”, piece {token}, number {id}"), **values)]
    if one.cut_by:
        said.append(Phrase(N_("Removed by {name}."), name=Phrase(NAMES[one.cut_by])))
    if one.id == token.id:
        said.append(Phrase(N_("It was chosen.")))
    elif can_take and puts:
        said.append(Phrase(N_("Click to put it into the sentence.")))
    elif can_take:
        said.append(Phrase(N_("Click to take it and go on from there.")))
    return Phrase.joined(said)
