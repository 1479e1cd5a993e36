"""What the user sets of layer similarity: which text, and what is compared of it."""

from typing import Any

from explorer.api import Choice, Entry, Option, Switch, Whole
from explorer.questions.many.file_of_sentences.options import sentences_file
from explorer.text import N_

FROM_FILE, ENGLISH, KOREAN, TYPED = "", "english", "korean", "typed"
TEXT = Choice(
    N_("Text to measure on"),
    FROM_FILE,
    tip=N_("Which text the layers are compared on"),
    entries=(
        Entry(
            FROM_FILE,
            N_("File, or small world"),
            N_("The file that was opened; without one, sentences of the small world"),
        ),
        Entry(ENGLISH, N_("Small world"), N_("The miniatures' own English sentences")),
        Entry(KOREAN, N_("Small world in Korean"), N_("The same in Korean")),
        Entry(TYPED, N_("The typed text"), N_("The sentences that are typed above")),
    ),
    key="layer_similarity.source",
)
FILE = sentences_file(
    "layer_similarity.path",
    N_("Open…"),
    N_("Open a file with a sentence on every line, and compare the layers on it."),
    resets=(TEXT.key,),
    when=lambda document: TEXT.of(document) == FROM_FILE,
)
TOKENS, SENTENCES = "tokens", "sentences"
UNIT = Choice(
    N_("What is compared"),
    TOKENS,
    tip=N_("Whether each token counts, or each sentence by the mean of its tokens"),
    entries=(
        Entry(TOKENS, N_("Every token")),
        Entry(SENTENCES, N_("Mean of a sentence")),
    ),
    key="layer_similarity.unit",
)
MOST = Whole(
    N_("Tokens, about"),
    1000,
    tip=N_("After how many tokens of the first model no further sentence is read"),
    low=50,
    high=3000,
    key="layer_similarity.most",
)
ALONE = Switch(
    N_("One model alone"),
    default=False,
    tip=N_("Compare the layers of the model with each other, although a second one is loaded"),
    key="layer_similarity.alone",
)
LINEAR, UNBIASED = "linear", "unbiased"
MEASURE = Choice(
    N_("Measure"),
    LINEAR,
    redraws=True,
    entries=(
        Entry(LINEAR, N_("Linear CKA"), N_("As published; biased upwards by few tokens")),
        Entry(UNBIASED, N_("Unbiased linear CKA"), N_("About 0 for layers that are unrelated")),
    ),
    key="layer_similarity.measure",
)
STANDARDISED = Switch(
    N_("Standardise dimensions"),
    default=False,
    tip=N_(
        "Bring every dimension to mean 0 and deviation 1 before cosines are taken: else a few "
        "outlier dimensions rule them (Timkey and van Schijndel 2021). CKA stays as it is."
    ),
    redraws=True,
    key="layer_similarity.standardised",
)
OPTIONS: tuple[Option[Any], ...] = (TEXT, FILE, UNIT, MOST, ALONE, MEASURE, STANDARDISED)
