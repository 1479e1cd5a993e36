"""What a prompt can be set to."""

from explorer.api.question import Choice, Entry, Words
from explorer.questions.generation.prompt.answers.rules import Rule
from explorer.questions.second_model import one_alone
from explorer.text import N_

ALONE = one_alone("prompt")
RULE = Choice(
    N_("Choose by"),
    Rule.SUM.value,
    N_("By which score the answer is chosen of those that are possible."),
    redraws=True,
    entries=(
        Entry(
            Rule.SUM.value,
            N_("Probability"),
            N_("The sum of the log-probabilities of its pieces; lm-evaluation-harness' acc."),
        ),
        Entry(
            Rule.TOKEN.value,
            N_("Per token"),
            N_("That sum divided by the number of the answer's pieces."),
        ),
        Entry(
            Rule.CHARACTER.value,
            N_("Per character"),
            N_("That sum divided by the answer's characters; lm-evaluation-harness' acc_norm."),
        ),
        Entry(
            Rule.BYTE.value,
            N_("Per byte"),
            N_("That sum divided by the answer's bytes in UTF-8; other letters take several."),
        ),
        Entry(
            Rule.MUTUAL.value,
            N_("Mutual information"),
            N_(
                "The log-probability minus that after a prompt that asks nothing (Brown et "
                "al. 2020, section 2.4)."
            ),
        ),
        Entry(
            Rule.CALIBRATED.value,
            N_("Calibrated"),
            N_(
                "The log-probability minus that after the same examples and a question "
                "without content (Zhao et al. 2021)."
            ),
        ),
    ),
    key="prompt.rule",
)


NEUTRAL = Words(
    N_("Prompt that asks nothing"),
    "Answer:",
    N_(
        "Mutual information divides by the probability of an answer after these words"
        " (Brown et al. 2020, section 2.4)."
    ),
    when=lambda document: bool(RULE.of(document) == Rule.MUTUAL.value),
)
FREE = Words(
    N_("Question without content"),
    "N/A",
    N_(
        "Calibration divides by the probability of an answer after the same examples "
        "and this question (Zhao et al. 2021)."
    ),
    when=lambda document: bool(RULE.of(document) == Rule.CALIBRATED.value),
)
