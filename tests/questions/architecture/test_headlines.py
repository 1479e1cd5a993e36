"""What each of these pages says first is the largest effect that its result's numbers have."""

from dataclasses import replace

import numpy as np

from explorer.architecture.counting import ArchitectureCount
from explorer.architecture.weights import KINDS
from explorer.questions.architecture.architecture.headline import CHANGED, LARGEST
from explorer.questions.architecture.compare_architectures.likeness import TensorsCompared
from explorer.questions.architecture.compare_architectures.question import Level
from explorer.questions.architecture.weights.question import Drawn, WeightCurve
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


def weights(**fields):
    return replace(
        recorded("weights"), **{"matrices": (), "curves": (), "written": (), "notes": (), **fields}
    )


def test_weights_tell_a_head_that_copies():
    result = recorded("weights")
    copied = [one for one in result.written if one.rank <= len(one.pieces)]
    said = said_of("weights")
    assert bool(said) == (len(copied) >= max(2, len(result.written) / 2))
    all_copied = tuple(replace(one, rank=1) for one in result.written)
    count = len(all_copied)
    said = said_of("weights", replace(result, written=all_copied))
    assert said.startswith(f"This head copies: {count} of {count} words")
    none = tuple(replace(one, rank=900) for one in result.written)
    assert not said_of("weights", replace(result, written=none))


def test_weights_tell_one_direction_positions_that_fade_and_a_stream_that_grows():
    ranks = np.arange(1, 4, dtype=np.float32)
    four = [WeightCurve("spectrum", name, ranks, ranks[::-1]) for name in "qkvo"]
    spectra = {"qk": (9.0, 1.0, 1.0), "ov": (3.0, 3.0, 2.0)}
    two = [
        WeightCurve("spectrum", name, ranks, np.array(values, np.float32))
        for name, values in spectra.items()
    ]
    said = said_of("weights", weights(drawn=Drawn.HEAD, curves=(*four, *two)))
    assert said.startswith(f"One direction is {100 * 81 / 83:.0f} %") or "97.6 %" in said
    assert "compares" in said
    assert not said_of("weights", weights(drawn=Drawn.HEAD, curves=(*four, two[1], two[1])))
    cosines = WeightCurve("cosine", "positions", ranks, np.array([0.8, 0.1, 0.2], np.float32))
    said = said_of("weights", weights(drawn=Drawn.POSITIONS, curves=(cosines,)))
    assert "neighbours is 0.80, at a distance of 2 it is 0.10" in said
    flat = replace(cosines, values=np.array([0.3, 0.2, 0.2], np.float32))
    assert not said_of("weights", weights(drawn=Drawn.POSITIONS, curves=(flat,)))
    assert not said_of("weights", weights(drawn=Drawn.POSITIONS))
    lengths = WeightCurve("residual", "checkpoint", ranks - 2, np.array([2, 5, 9], np.float32))
    said = said_of("weights", weights(drawn=Drawn.RESIDUAL, curves=(lengths,)))
    assert "grows 4.5-fold: a state is 2.0 long at the embeddings, 9.0 at the end" in said
    short = replace(lengths, values=np.array([2, 3, 5], np.float32))
    assert not said_of("weights", weights(drawn=Drawn.RESIDUAL, curves=(short,)))
    assert not said_of("weights", weights(drawn=Drawn.NORMS))
