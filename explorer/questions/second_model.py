"""Questions that one model answers, and another one beside it where there is one."""

from collections.abc import Mapping

from explorer.api.question import MODEL, SECOND, ModelCard, Switch
from explorer.api.question.roles import Casting, Options, RoleBinding
from explorer.text import N_


def one_alone(question: str) -> Switch:
    """The option of asking one model, though another is loaded.

    Args:
        question: Its name.
    """
    return Switch(
        N_("One model alone"),
        default=False,
        tip=N_("Ask the chosen model alone, though another one is loaded."),
        key=f"{question}.alone",
    )


def active_and_other(question: str, alone: Switch | None = None) -> Casting:
    """The active model, and the other one where it answers, too.

    Args:
        question: Its name.
        alone: The option by which only the active one is asked.
    """

    def casting(cards: Mapping[str, ModelCard], active: str, document: Options) -> RoleBinding:
        if alone is not None and document.option(alone.key, False) is True:
            return {MODEL: active}
        others = (s for s in sorted(cards) if s != active and question in cards[s].operations)
        second = next(others, "")
        return {MODEL: active, **({SECOND: second} if second else {})}

    return casting
