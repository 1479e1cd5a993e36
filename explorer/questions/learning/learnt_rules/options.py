"""Which world a model is measured in."""

from explorer.api.question import Choice, Entry
from explorer.text import N_

FOUND, SMALLEST, USUAL, KOREAN, TOLD = "", "small", "world", "korean", "korean_world"

WORLD = Choice(
    N_("World"),
    FOUND,
    N_("Whose texts the model is asked about; nobody is trained on these texts."),
    entries=(
        Entry(
            FOUND, N_("the model’s own world"), N_("That of its run, or the one its pieces are of.")
        ),
        Entry(SMALLEST, N_("the smallest world")),
        Entry(USUAL, N_("the miniatures' world")),
        Entry(KOREAN, N_("the smallest in Korean")),
        Entry(TOLD, N_("the miniatures' world in Korean")),
    ),
    in_sight=True,
    key="learnt_rules.world",
)
