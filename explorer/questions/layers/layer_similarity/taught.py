"""Which layer of a teacher each layer of its student was taught by, or began as a copy of."""

from explorer.api.question import Context, ExplorerError, ModelStamp
from explorer.numerics.layers import uniform_map

TINYBERT, DISTILBERT = "tinybert", "distilbert"
TEACHERS = {TINYBERT: "bert", DISTILBERT: "bert"}
"""The family of a student's teacher."""

RELEASED = (1, 3, 5, 8, 10, 12)
"""Of BERT base: the rows that the six layers of the released DistilBERT began as."""


def taught_by(student: ModelStamp, layers: int, teacher: ModelStamp, above: int) -> tuple[int, ...]:
    """The row of the teacher's layer of each of the student's, the embeddings being row 0; or ().

    TinyBERT's layers learn the states of every so many-th layer (Jiao et al. 2020, section 4.1);
    DistilBERT's began as copies of every other one from the first (Sanh et al. 2019, section 3),
    which the released script chose for twelve as `RELEASED`.

    Args:
        student: The one.
        layers: How many it has.
        teacher: The other.
        above: How many that has.
    """
    if TEACHERS.get(student.family) != teacher.family:
        return ()
    if student.family == TINYBERT and layers <= above:
        return uniform_map(layers, above)
    if student.family == DISTILBERT and 2 * layers == above:
        return RELEASED if above == RELEASED[-1] else tuple(range(1, above, 2))
    return ()


def was_taught_by(student: ModelStamp, teacher: ModelStamp, context: Context) -> bool:
    """Whether the library has nothing against it: it names no teacher, or this one."""
    if context.shelf is None:
        return True
    try:
        named = context.shelf.known(student.id).checkpoint.teacher
    except ExplorerError:
        return True
    return named in ("", teacher.id)
