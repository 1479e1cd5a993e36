"""One step: what a token was chosen from, before and after temperature and cuts; and all steps."""

from explorer.document import Mask
from explorer.questions.generation.continuation.options import AT, TAKEN
from explorer.questions.generation.continuation.question import (
    Alternative,
    ContinuationResult,
    WrittenToken,
)
from explorer.questions.generation.continuation.wording import (
    NAMES,
    about_token,
    shown_text,
)
from explorer.text import _
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import drawn
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.document.gestures import Edit, put_words, quoted, set_options

KEPT, CUT, DRAWN = "bar", "muted", "bar_second"


def take(shown: Shown, pieces: tuple[str, ...], word: str) -> Edit:
    """The gesture of going on from these pieces."""
    values = {TAKEN.key: TAKEN.written_in(shown.asked, pieces), AT.key: None}
    return set_options(shown.now, values, _("take {word}", word=quoted(word)))


def step_of(shown: Shown) -> int:
    """The step that is shown: the chosen one, or the first that the model chose itself."""
    result: ContinuationResult = shown.result
    chosen = next(iter(shown.value(AT)), None)
    if chosen is not None and chosen < len(result.tokens):
        return int(chosen)
    own = (n for n, token in enumerate(result.tokens) if not token.taken)
    return next(own, len(result.tokens) - 1)


def distribution(shown: Shown, step: int) -> BarTable:
    """The candidates of a step: the model's probability, and below it what was drawn with."""
    result: ContinuationResult = shown.result
    token = result.tokens[step]
    warped = bool(token.cuts)
    before = tuple(one.token for one in result.tokens[:step])
    columns = [Column(_("p"), words=_("The model's own probability"))]
    if warped:
        meant = _("Behind temperature and cuts: what the token was drawn with")
        columns.append(Column(_("drawn with"), words=meant))
    rows = []
    for one in token.alternatives:
        chosen = one.id == token.id
        act = None if chosen else chosen_instead(shown, token, before, one)
        bars: list[Bar | None] = [Bar(one.probability, CUT if one.cut_by else KEPT)]
        if warped:
            bars.append(None if one.cut_by else Bar(one.share, DRAWN))
        cells = [in_digits(one.probability)]
        if warped:
            cells.append(in_digits(one.share) if not one.cut_by else "–")
        rows.append(
            Row(
                drawn(one),
                tuple(cells),
                tuple(bars),
                lead=str(one.rank),
                tag=_tag(one, token),
                ground="selection" if chosen else "",
                muted=bool(one.cut_by),
                strong=chosen,
                words=_about(one, chosen=chosen, can_take=act is not None, puts=result.gibbs),
                key=("alternative", one.id),
                act=act,
            )
        )
    return BarTable(
        rows,
        tuple(columns),
        # From 0 to 1 at every step and temperature, so that lengths can be compared.
        Axis(titled=False),
        title=_("What step {step} was chosen from", step=step + 1),
        bold=False,
    )


def chosen_instead(
    shown: Shown, token: WrittenToken, before: tuple[str, ...], one: Alternative
) -> Edit | None:
    """The gesture of having another token: to go on from it, or to put it in a mask's place."""
    result: ContinuationResult = shown.result
    if not result.gibbs:
        return take(shown, (*before, one.token), one.word)
    assert token.position is not None
    mask = result.prompt[token.position]
    if mask.end > len(shown.asked.text):  # behind the text
        return None
    return put_words(shown.asked, (Mask(mask.start, mask.end), one.word))


def _tag(one: Alternative, token: WrittenToken) -> str:
    if one.id == token.id:
        return _("chosen by you") if token.taken else _("chosen")
    return _("cut: {name}", name=_(NAMES[one.cut_by])) if one.cut_by else ""


def _about(one: Alternative, *, chosen: bool, can_take: bool, puts: bool) -> str:
    said = [_("“{word}”, piece {token}, number {id}", word=one.word, token=one.token, id=one.id)]
    if one.cut_by:
        said.append(_("Cut by {name}.", name=_(NAMES[one.cut_by])))
    if chosen:
        said.append(_("It was chosen."))
    elif can_take and puts:
        said.append(_("Click to put it into the sentence."))
    elif can_take:
        said.append(_("Click to take it and go on from there."))
    return "\n".join(said)


def steps(shown: Shown, chosen: int) -> BarTable:
    """All steps; their bars are surprisals."""
    result: ContinuationResult = shown.result
    rows = [
        Row(
            shown_text(token),
            (
                in_digits(token.probability),
                decimal(token.surprisal, 2),
                decimal(token.entropy, 2),
                str(token.rank),
            ),
            (Bar(token.surprisal),),
            lead=str(step + 1),
            tag=_("chosen by you") if token.taken else _("the end") if token.ends else "",
            ground="selection" if step == chosen else "",
            words=about_token(token, step),
            key=("step", step),
            act=shown.setting(AT, (step,), _("look at step {step}", step=step + 1)),
        )
        for step, token in enumerate(result.tokens)
    ]
    columns = (
        Column(_("p")),
        Column(_("surprisal"), words=_("−ln p, in nats")),
        Column(_("entropy"), words=_("Of the model's distribution, in nats"), dispensable=True),
        Column(_("rank"), dispensable=True),
    )
    top = max(1.0, *(token.surprisal for token in result.tokens))
    axis = Axis(top, titled=False)
    return BarTable(rows, columns, axis, title=_("Steps"), bold=False)
