"""Classes of two classifiers laid on each other by their names."""

from collections.abc import Sequence


def matched_by_name(names: Sequence[str], others: Sequence[str]) -> tuple[int, ...] | None:
    """Where each class of one classifier stands among another's, capital letters or not.

    Which number a class has is an accident of training: of two models of one task, one may begin
    with "contradiction" and the other with "entailment".

    Args:
        names: Of one classifier's classes, in the order of its scores.
        others: Of the other's.

    Returns:
        For each of `names` the number of the other's class; None where the two sets of names
        differ, or a name stands twice in one of them.
    """
    folded, found = ([one.casefold() for one in labels] for labels in (names, others))
    if len({*folded}) < len(folded) or sorted(folded) != sorted(found):
        return None
    return tuple(map(found.index, folded))
