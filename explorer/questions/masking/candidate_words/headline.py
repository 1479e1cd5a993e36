"""What to look at first: which of the user's words fits best, and where."""

from explorer.api import Headline
from explorer.questions.masking.candidate_words.question import (
    CandidateWordsResult,
    GapScores,
    WordScore,
    probability_of,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.pieces import drawn

Scored = tuple[float, WordScore, GapScores]


def headline(result: CandidateWordsResult) -> Headline:
    """The most probable of the words, beside the next one and the model's own."""
    scored: list[Scored] = [
        (chance, one, gap)
        for gap in result.gaps
        for one in gap.scores
        if (chance := probability_of(one)) is not None
    ]
    if not scored:
        problem = next((one.problem for gap in result.gaps for one in gap.scores), None)
        return Headline(problem or Phrase(N_("None of the words can stand there.")))
    chance, best, gap = max(scored, key=lambda one: one[0])
    values = {"word": best.word, "share": in_percent(chance)}
    if len(result.gaps) > 1:
        values |= {"position": str(gap.positions[0])}
        sentence = Phrase(
            N_(
                "Of your words, “{word}” at position {position} is the most probable, with {share}."
            ),
            **values,
        )
        return Headline(sentence, gap.positions[0])
    favourite = gap.favourite
    if favourite is not None and favourite.probability > chance:
        values |= {"favourite": drawn(favourite), "its": in_percent(favourite.probability)}
        sentence = Phrase(
            N_(
                "Of your words, “{word}” fits best ({share}), but the model would rather say "
                "“{favourite}” ({its})."
            ),
            **values,
        )
        return Headline(sentence, gap.positions[0])
    rest = [one for one in scored if one[1] is not best]
    if not rest:
        sentence = Phrase(N_("“{word}” has {share} in this place."), **values)
        return Headline(sentence, gap.positions[0])
    next_chance, second, _gap = max(rest, key=lambda one: one[0])
    values |= {"second": second.word, "its": in_percent(next_chance)}
    sentence = Phrase(
        N_("Of your words, “{word}” fits best ({share}), ahead of “{second}” ({its})."), **values
    )
    return Headline(sentence, gap.positions[0])
