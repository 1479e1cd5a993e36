import math
from collections import Counter

import numpy as np
import pytest

from explorer.world import graph
from explorer.world.tables import ACTIVITIES


def test_the_name_tells_nothing_of_the_job():
    by_name = {name: Counter() for name in graph.NAMES}
    for person in graph.people():
        by_name[person.name][person.job, person.young] += 1
    assert all(set(counted.values()) == {1} for counted in by_name.values())
    assert len(graph.people()) == 2 * len(graph.NAMES) * len(graph.jobs())


def test_the_graph_tells_everybodys_job_and_no_text_does():
    told = {head: tail for head, relation, tail in graph.triples() if relation == graph.WORKS_AS}
    ids = graph.things()
    assert all(told[one.id] == ids[one.job] for one in graph.people())
    for job in graph.jobs():
        assert all(job not in text for text in graph.sentences(job))
    assert len(set(ids.values()) | {one.id for one in graph.people()}) == len(ids) + len(
        graph.people()
    )


@pytest.mark.parametrize("job", graph.jobs())
def test_chances_of_all_that_is_said_add_up(job):
    assert math.fsum(graph.sentences(job).values()) == pytest.approx(1.0)


def test_the_chance_of_a_tool_equals_the_tables():
    chef = [one for one in ACTIVITIES if one.job == "chef"]
    plain = Counter()
    for row in chef:
        for weight, tool in row.tools:
            plain[tool] += weight / sum(w for w, _ in row.tools) / len(chef)
    assert graph.words_at(["Anna", "used", "a", "[MASK]", "."], "chef") == pytest.approx(plain)
    # Who is meant is not told: the mean over all jobs of what each makes of this sentence.
    every = graph.words_at(["Anna", "used", "a", "[MASK]", "."])
    joint = Counter()
    for job in graph.jobs():
        for words, chance in graph.sentences(job).items():
            if len(words) == 5 and words[1:3] == ("used", "a"):
                joint[words[3]] += chance
    whole = sum(joint.values())
    assert every == pytest.approx({word: chance / whole for word, chance in joint.items()})
    assert graph.entropy(every) > 2 * graph.entropy(plain)


def test_drawn_sentences_come_as_often_as_they_should():
    rng = np.random.default_rng(1)
    drawn = [graph.draw(rng) for _ in range(4000)]
    assert not any(one.person.young for one in drawn)
    assert graph.draw(rng, young=True).person.young
    used = sum(len(one.words) in (4, 5) and one.words[1] == "used" for one in drawn) / len(drawn)
    assert used == pytest.approx(0.4, abs=0.03)
    assert all(one.text.startswith(one.person.name) and one.text.endswith(".") for one in drawn)


def test_what_nobody_says_has_no_chance():
    with pytest.raises(ValueError, match="no such sentence"):
        graph.words_at(["Anna", "ate", "a", "[MASK]", "."])
    with pytest.raises(ValueError, match="no such sentence"):  # scissors take no article
        graph.words_at(["Anna", "used", "a", "[MASK]", "."], "barber")
