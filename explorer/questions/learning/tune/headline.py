"""What to look at first: how often the tuned model is right of texts that it did not learn from."""

from explorer.api.question import Headline
from explorer.api.question.standing_out import beyond
from explorer.questions.learning.tune.question import TuneResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import percent
from explorer.text.phrase import NOTHING

LEAST_GAIN = 0.05
"""Of the accuracy, for it to stand out."""
ALONE = {
    "classes": N_(
        "By step {step}, {share} of the held-out texts are judged correctly ({first} before)."
    ),
    "words": N_(
        "By step {step}, {share} of the words of held-out texts are labelled correctly ({first} "
        "before)."
    ),
    "spans": N_(
        "By step {step}, {share} of the held-out questions are answered exactly ({first} before)."
    ),
    "choices": N_(
        "By step {step}, {share} of the held-out choices are made correctly ({first} before)."
    ),
}
WITH_BEST = N_(
    "By step {step}, {share} of the held-out texts are judged correctly ({first} before); on "
    "average no reader can reach more than {best}."
)


def headline(result: TuneResult, **_looked_at: object) -> Headline:
    """Its accuracy at the last frame, and before."""
    run = result.run
    frames = [] if run is None else [one for one in run.frames if one.accuracy is not None]
    if run is None or len(frames) < 2:
        return Headline(NOTHING)
    first, last = frames[0], run.last
    assert last is not None
    assert first.accuracy is not None
    assert last.accuracy is not None
    gain = last.accuracy - first.accuracy
    if gain < LEAST_GAIN:
        return Headline()
    told = {
        "step": last.step,
        "share": percent(last.accuracy, 1),
        "first": percent(first.accuracy, 1),
    }
    sentence = (
        Phrase(ALONE[result.form], **told)
        if result.best is None or result.form != "classes"
        else Phrase(WITH_BEST, best=percent(result.best, 1), **told)
    )
    return Headline(sentence, strength=beyond(gain, LEAST_GAIN, 0.5))
