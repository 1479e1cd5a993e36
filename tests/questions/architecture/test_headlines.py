"""What each of these pages says first is the largest effect that its result's numbers have."""

from dataclasses import replace

import numpy as np

from explorer.architecture.counting import ArchitectureCount
from explorer.architecture.weights import KINDS
from explorer.questions.architecture.architecture.headline import CHANGED, LARGEST
from explorer.questions.architecture.compare_architectures.likeness import TensorsCompared
from explorer.questions.architecture.compare_architectures.question import Level
from tests.questions.headlines import headline_of, recorded, said_of


def test_architecture_tells_the_largest_kind_of_weights():
    result = recorded("architecture")
    names, counts = list(result.kinds), np.array(list(result.kinds.values()))
    kind = names[int(counts.argmax())]
    said = said_of("architecture")
    assert said.startswith(LARGEST[kind].split(":")[0])
    assert f"{100 * counts.max() / result.parameters.unique:.0f} %" in said
    assert f"{result.parameters.unique:,}" in said
    assert set(LARGEST) == set(CHANGED) == set(KINDS)


def test_architecture_tells_what_changes_change_most():
    result = recorded("architecture")
    fewer = {kind: count // 3 for kind, count in result.kinds.items()}
    after = replace(result.parameters, unique=sum(fewer.values()))
    changed = ArchitectureCount(result.blueprint, after, fewer, result.memory_bytes, result.work)
    most = max(result.kinds, key=lambda kind: result.kinds[kind] - fewer[kind])
    said = said_of("architecture", replace(result, changed=changed))
    assert f"{after.unique:,} parameters instead of {result.parameters.unique:,}" in said
    assert said.endswith(f"{fewer[most]:,} instead of {result.kinds[most]:,}.")


def test_comparing_architectures_tells_the_part_that_differs_most():
    result = recorded("compare_architectures")
    differences = [abs(one.first.parameters - one.second.parameters) for one in result.parts]
    part = result.parts[int(np.argmax(differences))]
    said = said_of("compare_architectures")
    assert f"“{part.role}”" in said
    assert f"{part.first.parameters:,}" in said
    assert f"{part.second.parameters:,}" in said
    twins = tuple(replace(one, second=one.first) for one in result.parts)
    assert "equally many parameters in every part" in said_of(
        "compare_architectures", replace(result, parts=twins)
    )


def test_comparing_architectures_tells_which_layer_came_from_which():
    result = recorded("compare_architectures")
    cosines = np.full((2, 4), 0.1)
    cosines[0, 1], cosines[1, 3] = 0.7, 0.9
    descent = replace(result.ancestry, cosines=cosines, came_from=(1, 3))
    said = said_of("compare_architectures", replace(result, ancestry=descent))
    assert "2 layers of BERT miniature share their origin with layers of RoBERTa" in said
    assert said.endswith("layer 1 with layer 3 (cosine 0.90).")


def test_comparing_tensors_tells_how_many_numbers_are_shared():
    result = replace(recorded("compare_architectures"), level=Level.TENSORS)
    shared = TensorsCompared((), 1000, 0, 0)
    said = said_of("compare_architectures", replace(result, tensors=shared))
    assert "share 1,000 numbers, 0.1 % of those" in said
    none = replace(result, tensors=replace(shared, shared_parameters=0))
    assert "share no numbers" in said_of("compare_architectures", none)
    assert not headline_of("compare_architectures", replace(result, tensors=None)).sentence
