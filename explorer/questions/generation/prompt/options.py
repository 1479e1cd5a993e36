"""What a prompt can be set to."""

from explorer.api import Choice, Entry, FilePath, Whole, WordList, Words
from explorer.questions.generation.prompt.answers.rules import Rule
from explorer.questions.generation.prompt.examples.rows import ENDINGS
from explorer.questions.second_model import one_alone
from explorer.text import N_

PATH = FilePath(
    N_("Examples…"),
    "",
    N_(
        "Open a table (CSV or TSV) with a question and its answer in each row, and in a third "
        "column what may be answered, with “|” between. Without one, examples are words of the "
        "small world: tools of jobs, sounds of animals, opposites, the day after, the past."
    ),
    kinds=N_("Questions with answers (*.csv *.tsv *.txt)"),
    endings=ENDINGS,
    key="prompt.path",
)
TEMPLATE = Words(
    N_("Template"),
    "{question} -> {answer}.",
    N_("How each example is written: with {question} and, behind it, {answer}."),
    captioned=True,
    key="prompt.template",
)
DESCRIPTION = Words(
    N_("Description"),
    "",
    N_("What stands before the first example, as what the task is; may be empty."),
    placeholder=N_("Jobs: tool."),
    is_long=True,
    captioned=True,
    key="prompt.description",
)
EXAMPLES = Whole(
    N_("Examples"),
    8,
    N_("The most examples in a prompt; the curve goes from none to as many."),
    low=0,
    high=32,
    key="prompt.examples",
)
OPTIONS = WordList(
    N_("Possible answers"),
    (),
    N_(
        "What may be answered, with commas between, for rows that do not say it themselves. "
        "Empty: all answers of the table."
    ),
    placeholder=N_("answers of the table"),
    captioned=True,
    key="prompt.options",
)
ORDERS = Whole(
    N_("Orders"),
    5,
    N_("How many times examples are drawn and put in order; the band shows the worst and best."),
    low=1,
    high=20,
    key="prompt.orders",
)
ASKED = Whole(
    N_("Questions"),
    20,
    N_("How many rows are asked to make the curve; none of them is ever an example."),
    low=0,
    high=200,
    key="prompt.asked",
)
SEED = Whole(
    N_("Seed"),
    0,
    N_("Draws the rows that are asked, the examples and their orders."),
    high=9999,
    next_said=N_("Draw again"),
    next_glyph="dice-multiple-outline",
    key="prompt.seed",
)
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
                "The log-probability minus that behind a prompt that asks nothing (Brown et al. "
                "2020, section 2.4)."
            ),
        ),
        Entry(
            Rule.CALIBRATED.value,
            N_("Calibrated"),
            N_(
                "The log-probability minus that behind the same examples and a question without "
                "content (Zhao et al. 2021)."
            ),
        ),
    ),
    key="prompt.rule",
)


NEUTRAL = Words(
    N_("Prompt that asks nothing"),
    "Answer:",
    N_(
        "Mutual information divides by the probability of an answer behind these words (Brown et "
        "al. 2020, section 2.4)."
    ),
    captioned=True,
    when=lambda document: bool(RULE.of(document) == Rule.MUTUAL.value),
    key="prompt.neutral",
)
FREE = Words(
    N_("Question without content"),
    "N/A",
    N_(
        "Calibration divides by the probability of an answer behind the same examples and this "
        "question (Zhao et al. 2021)."
    ),
    captioned=True,
    when=lambda document: bool(RULE.of(document) == Rule.CALIBRATED.value),
    key="prompt.free",
)
