"""Which weights two models share, as pictures: a bar of all numbers, a row for every tensor."""

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.questions.architecture.compare_architectures.likeness import Relation, SharedTensor
from explorer.questions.architecture.compare_architectures.tensors import RELATIONS
from explorer.questions.architecture.weight_sharing.question import EmbeddingSharingResult
from explorer.ui.sentence.token_layout import text_height, text_width
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.detection.measures import Measure

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight


def verdict(result: EmbeddingSharingResult) -> str:
    """What comparing says of how the two were trained, in sentences."""
    share = result.shared_parameters / max(1, result.parameters)
    words = next(
        (one for one in result.tensors if one.name == "embeddings.word_embeddings.weight"), None
    )
    said = (
        f"{result.shared_parameters:,} of the discriminator's {result.parameters:,} numbers "
        f"({100 * share:.0f} %) are the generator's too. "
    )
    if words is None:
        return said + "Their token embeddings have different names and were not compared."
    if words.relation in (Relation.SAME_MEMORY, Relation.EQUAL):
        return said + "The token embeddings are shared, as ELECTRA trains them."
    if words.relation is Relation.OTHER_SHAPE:
        return said + "The token embeddings have different shapes, so they can't be shared."
    if words.relation is Relation.ALIKE:
        return said + (
            f"The token embeddings are not equal but go together (correlation "
            f"{words.correlation:.3f}, difference {100 * (words.relative_difference or 0):.0f} % "
            "of the generator's): what gradient-disentangled sharing leaves, the generator's "
            "table plus a difference of the discriminator's own."
        )
    return said + "The token embeddings have nothing to do with each other."


def relation_colour(theme: Theme, relation: Relation) -> QColor:
    """Shared stands out, what can't be compared stands back."""
    return {
        Relation.SAME_MEMORY: theme.positive,
        Relation.EQUAL: theme.positive,
        Relation.ALIKE: theme.bar,
        Relation.UNRELATED: theme.muted,
        Relation.OTHER_SHAPE: theme.muted,
    }[relation]


def tensors(title: str, rows: Sequence[SharedTensor]) -> Measure:
    """A row a tensor: its name, what it is to the other's, and the correlation from -1 to 1."""
    line = text_height("body") + 5

    def paint(painter: QPainter, theme: Theme, box: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        said = max(text_width("small", words) for words in RELATIONS.values()) + 10
        number = text_width("small", "-0.000") + 8
        bar = min(150.0, box.width() * 0.22)
        name = max(80.0, box.width() - said - number - bar - 24)
        y = box.top()
        heads = ("tensor", "numbers", "correlation")
        for words, x, wide, align in (
            (heads[0], 0.0, name, LEFT),
            (heads[1], name + 8, said, LEFT),
            (heads[2], name + said + 16, bar + number, RIGHT),
        ):
            place = QRectF(box.left() + x, y, wide, line)
            draw_text(painter, place, words, "small", theme.muted, align)
        y += line
        for one in rows:
            colour = relation_colour(theme, one.relation)
            quiet = one.relation is Relation.OTHER_SHAPE
            place = QRectF(box.left(), y, name, line)
            draw_text(painter, place, one.name, "body", theme.muted if quiet else theme.text, LEFT)
            place = QRectF(box.left() + name + 8, y, said, line)
            draw_text(painter, place, RELATIONS[one.relation], "small", colour, LEFT)
            if one.correlation is not None:
                track = QRectF(box.left() + name + said + 16, y + line / 2 - 4, bar, 8)
                _paint_correlation(painter, theme, track, one.correlation, colour)
                place = QRectF(track.right(), y, number, line)
                said_number = f"{one.correlation:.3f}"
                draw_text(painter, place, said_number, "small", theme.text, RIGHT)
            y += line

    spoken = "; ".join(f"{one.name}: {RELATIONS[one.relation]}" for one in rows)
    return Measure(title, lambda _width: line * (len(rows) + 1), paint, spoken)


def _paint_correlation(
    painter: QPainter, theme: Theme, track: QRectF, value: float, colour: QColor
) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.track)
    painter.drawRoundedRect(track, 2, 2)
    zero = track.center().x()
    wide = track.width() / 2 * min(abs(value), 1.0)
    painter.setBrush(colour)
    left = zero if value >= 0 else zero - wide
    painter.drawRect(QRectF(left, track.top(), wide, track.height()))
    painter.setPen(QPen(theme.muted, 1.0))
    painter.drawLine(QLineF(zero, track.top() - 2, zero, track.bottom() + 2))


def sharing_measures(result: EmbeddingSharingResult) -> tuple[Measure, ...]:
    """The embeddings, and everything else."""
    first = [one for one in result.tensors if one.name.startswith("embeddings.")]
    rest = [one for one in result.tensors if not one.name.startswith("embeddings.")]
    made = [tensors("Embeddings", first)] if first else []
    if rest:
        made.append(tensors("Layers and heads", rest))
    return tuple(made)
