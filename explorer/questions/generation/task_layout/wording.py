"""What is said of a layout: where it was published, what is read out where, what is missing."""

from explorer.questions.generation.task_layout.layouts import LayoutStyle, SpecialPiece
from explorer.questions.generation.task_layout.question import (
    FamilyLayout,
    LaidPiece,
    LaidSequence,
    TaskLayoutRequest,
    TaskLayoutResult,
)
from explorer.questions.generation.task_layout.tasks import OF_CLASSES, TASKS, Task, TaskKind
from explorer.text import N_, Phrase, _, verbatim
from explorer.text.bidi import isolated
from explorer.text.pieces import visible

TITLES = {
    LayoutStyle.GPT1: N_("GPT-1: start, delimiter, extract"),
    LayoutStyle.BERT: N_("BERT: [CLS] and [SEP]"),
    LayoutStyle.T5: N_("T5: text to text"),
}
SOURCES = {
    LayoutStyle.GPT1: N_("Radford et al. 2018, section 3.3, figure 1"),
    LayoutStyle.BERT: N_("Devlin et al. 2019, sections 3 and 4, figure 4"),
    LayoutStyle.T5: N_("Raffel et al. 2020, section 2.4, appendix D"),
}

ONE_STATE = {
    LayoutStyle.GPT1: N_(
        "The last layer’s state at the extract piece, which has seen all pieces before it, goes "
        "through one linear layer, and a softmax over the classes follows."
    ),
    LayoutStyle.BERT: N_(
        "The last layer’s state of the first piece goes through the pooler and one linear layer, "
        "and a softmax over the classes follows. It saw all pieces on both sides."
    ),
}
LAST_STATE = N_(
    "The encoder and the decoder read the same text; the decoder’s last state at the piece that "
    "ends it, which has seen all others, goes through the head."
)
SIMILAR = {
    LayoutStyle.GPT1: N_(
        "Neither sentence comes first, so both orders are read; the states at their extract pieces "
        "are added up before the linear layer."
    ),
    LayoutStyle.BERT: N_(
        "One order is read; the state of the first piece goes through the pooler and one linear "
        "layer, to classes or, for STS-B, to one number."
    ),
}
CHOSEN = {
    LayoutStyle.GPT1: N_(
        "Each choice is read in a sequence of its own. One linear layer gives a score at each "
        "extract piece, and a softmax over the choices makes probabilities of the scores. The "
        "paper measured this on RACE and Story Cloze, with any question inside of the context."
    ),
    LayoutStyle.BERT: N_(
        "Each choice is the second sentence of a sequence of its own. One vector gives a score "
        "at each first piece, and a softmax over the choices makes probabilities of the scores. "
        "The paper measured this on SWAG (section 4.4)."
    ),
}
ANSWERED = N_(
    "Every piece of the passage gets a score as the answer’s start and one as its end (section "
    "4.2)."
)
WRITTEN = N_(
    "The encoder reads the prefix and the texts, and the decoder writes its answer as text, piece "
    "by piece, until it ends: there is no head, and no position is read out."
)
STSB = N_(
    "The number is rounded to steps of 0.2 and written as text. The paper counts 21 classes from 1 "
    "to 5; the data set’s scores begin at 0."
)
COPA = N_("The paper’s appendix prints “True” for the first choice; the released code, “choice1”.")
NONE = {
    LayoutStyle.GPT1: N_("The paper has no layout of this task."),
    LayoutStyle.BERT: N_("An encoder alone writes no text: the paper has no layout of this task."),
    LayoutStyle.T5: N_("COPA has exactly two choices: with others there is no published layout."),
}
NO_PREFIX = N_("T5 was not trained on this task: no prefix of it was published.")
MISSING = N_(
    "This vocabulary has no piece for: {names}. The authors added them for fine-"
    "tuning, with fresh vectors that only fine-tuning trained. They are shown for"
    " their places; nothing is computed with them."
)


BELOW = N_("Below a piece is its position, and ▲ where it is read out.")
BELOW_SEGMENTS = N_(
    "Below a piece are its position and its segment, A or B, and ▲ where it is read out."
)
OWN_PIECES = N_("BERT’s layout, with the special pieces of this model’s own tokenizer.")


def title_of(layout: FamilyLayout) -> str:
    """Whose layout it is; marked for translation."""
    return TITLES[layout.style]


def published_in(layout: FamilyLayout) -> str:
    """Where it was published, and whose special pieces it has."""
    source = SOURCES[layout.style]
    pieces = layout.sequences[0].pieces if layout.sequences else ()
    if (
        layout.own
        and layout.style is LayoutStyle.BERT
        and pieces
        and pieces[0].token != SpecialPiece.CLS.value
    ):
        return Phrase(N_("{source}. {more}"), source=Phrase(source), more=Phrase(OWN_PIECES))
    return source


def below_said(layout: FamilyLayout) -> str:
    """What stands below the pieces; "" where there are none."""
    pieces = layout.sequences[0].pieces if layout.sequences else ()
    if not pieces or layout.style is LayoutStyle.T5:
        return ""
    return BELOW if pieces[0].segment is None else BELOW_SEGMENTS


def read_out_said(layout: FamilyLayout, task: Task) -> str:
    """Where the answer is read out."""
    style = layout.style
    if not layout.sequences:
        return NONE[style] if task.prompt else NO_PREFIX
    if style is LayoutStyle.T5:
        return WRITTEN
    if task.kind is TaskKind.ANSWER:
        return ANSWERED
    if style is LayoutStyle.BERT and layout.sequences[0].read_out != (0,):
        return LAST_STATE
    by_kind = {TaskKind.SIMILARITY: SIMILAR, TaskKind.CHOICE: CHOSEN}
    return by_kind.get(task.kind, ONE_STATE)[style]


def targets_said(layout: FamilyLayout, name: str) -> list[str]:
    """What a decoder is to write; nothing of the other layouts."""
    if layout.style is not LayoutStyle.T5 or not layout.sequences:
        return []
    if not layout.targets:
        return [N_("What it is to write: any text.")]
    if name == "stsb":
        code = N_("What it is to write: a number from {low} to {high}.")
        return [Phrase(code, low=layout.targets[0], high=layout.targets[-1]), STSB]
    words = ", ".join(f"“{one}”" for one in layout.targets)
    told = Phrase(N_("What it is to write: one of {words}."), words=words)
    return [told, COPA] if name == "copa" else [told]


def missing_said(layout: FamilyLayout) -> str:
    """Which special pieces the vocabulary lacks; "" where it has all."""
    if not layout.missing:
        return ""
    values = {f"piece{n}": mark_said(name) for n, name in enumerate(layout.missing)}
    names = Phrase(", ".join(f"{{{name}}}" for name in values), **values)
    return Phrase(MISSING, names=names)


MARKS = {
    SpecialPiece.START.value: N_("start"),
    SpecialPiece.DELIMITER.value: N_("delimiter"),
    SpecialPiece.EXTRACT.value: N_("extract"),
}


def mark_said(name: str) -> Phrase:
    """A special piece by what it is for."""
    if name in MARKS:
        return Phrase("‹{what}›", what=Phrase(MARKS[name]))
    return verbatim(name)


def sequence_said(result: TaskLayoutResult, layout: FamilyLayout, number: int) -> str:
    """What a sequence is, among several; "" for the only one."""
    if len(layout.sequences) < 2:
        return ""
    is_choice = TASKS[result.task].kind is TaskKind.CHOICE
    code = N_("Choice {number}") if is_choice else N_("Order {number}")
    return Phrase(code, number=number + 1)


def field_said(task: Task, field: str) -> str:
    """What one of a task's texts is called; "" for what a layout adds."""
    if field.startswith("choice "):
        return _("choice {number}", number=field.removeprefix("choice "))
    return _({"first": task.first, "second": task.second}.get(field, ""))


def shown_piece(one: LaidPiece) -> str:
    """A piece as it is drawn; a special one that the vocabulary has, as it is written there."""
    if one.special:
        return mark_said(one.text).said if one.id is None else one.token
    return visible(one.text)


def about_piece(task: Task, sequence: LaidSequence, position: int) -> str:
    """A piece's tooltip."""
    one = sequence.pieces[position]
    said = [_("Position {position}: {piece}", position=position, piece=isolated(shown_piece(one)))]
    if one.id is not None:
        said.append(_("Piece “{token}”, number {id}", token=one.token, id=one.id))
    elif one.special:
        said.append(_("A special piece that this vocabulary does not have."))
    field = field_said(task, one.field)
    if field:
        said.append(_("Of the {text}.", text=field))
    elif not one.special:
        said.append(_("Of the words that the layout adds."))
    if one.segment is not None:
        said.append(_("Segment {name}", name="AB"[min(one.segment, 1)]))
    if position in sequence.read_out:
        said.append(_("Read out: this position’s last state feeds the head."))
    return "\n".join(said)


def texts_said(request: TaskLayoutRequest) -> str:
    """Which text is what in the task, for the reader of the page."""
    task = TASKS[request.task]
    if task.second:
        return Phrase(
            N_("Here the text is the {first} and the second text the {second}."),
            first=Phrase(task.first),
            second=Phrase(task.second),
        )
    if task.kind in OF_CLASSES and request.pair:
        return N_("This task is asked of one text: the second one is left aside.")
    return ""
