"""A token chosen by its number is masked alone, also where it shares characters with another.

SentencePiece may cut a space off as a token of its own ("▁"), which has the characters of the piece
behind it. What a model expects where only one of the two is masked comes from transformers.
"""

import numpy as np
import pytest

from explorer import cli
from explorer.command_line.parsing import MISTAKE
from explorer.document import Document
from explorer.hf.family.tiny import unigram_vocabulary, write_tiny
from explorer.paths import Paths
from explorer.serialise import from_json, to_json
from tests.hf import tiny

ALBERT = Paths.standard().bundled_models / "albert-miniature"
TEXT = "the chef met Zoltan"


def expected(folder, text, position):
    """transformers' probabilities with the mask's number at one position, and its tokens."""
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    ids = tokenizer(text, return_tensors="pt")["input_ids"]
    ids[0, position] = tokenizer.mask_token_id
    model = AutoModelForMaskedLM.from_pretrained(folder).eval()
    with torch.no_grad():
        scores = model(input_ids=ids).logits[0, position].double().softmax(-1).numpy()
    return scores, tokenizer, ids


@pytest.mark.parametrize("position", [4, 5, 6])
def test_targets_at_a_position_masks_that_token(asked, position):
    told = asked(
        "targets", TEXT, "--position", str(position), "--top", "5",
        "--teacher", "albert-miniature", "--student", "albert-miniature",
    )  # fmt: skip
    scores, tokenizer, _ids = expected(ALBERT, TEXT, position)
    assert [i for i, token in enumerate(told["tokens"]) if token["masked"]] == [position]
    (place,) = told["masks"]
    logits = np.array(place["teacher"], np.float64)
    chances = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    best = np.sort(scores)[::-1][:5]
    assert np.sort(chances)[::-1][:5] == pytest.approx(best, abs=2e-6)
    first = next(row for row in place["rows"] if row["teacher_rank"] == 1)
    assert scores[tokenizer.convert_tokens_to_ids(first["token"])] == pytest.approx(best[0])


@pytest.mark.parametrize("position", [1, 2])
def test_a_generator_replaces_that_token_alone(asked, tmp_path, position):
    from transformers import AlbertTokenizer

    folders = {
        "ElectraForMaskedLM": tmp_path / "generator",
        "ElectraForPreTraining": tmp_path / "d",
    }
    family = tiny.families().family("electra")
    pieces = unigram_vocabulary(["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"])
    for kind, folder in folders.items():
        write_tiny(family, folder, model_class=kind, tokenizer=AlbertTokenizer(vocab=pieces))
    generator, judge = folders.values()
    told = asked(
        "detect", "zoltan", "--model", str(judge), "--generator", str(generator),
        "--mask", str(position),
    )  # fmt: skip
    assert told["original"][1:3] == ["▁", "z"]
    (chosen,) = told["chosen"]
    assert chosen["position"] == position
    scores, tokenizer, _ids = expected(generator, "zoltan", position)
    drawn = chosen["sampled"]
    number = tokenizer.convert_tokens_to_ids(drawn["token"])
    assert drawn["probability"] == pytest.approx(scores[number], abs=2e-6)


@pytest.fixture(scope="module")
def judge(tmp_path_factory):
    """A discriminator whose tokenizer cuts "zoltan" into "▁", "z", ..."""
    from transformers import AlbertTokenizer

    pieces = unigram_vocabulary(["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"])
    folder = tmp_path_factory.mktemp("judge")
    write_tiny(
        tiny.families().family("electra"),
        folder,
        model_class="ElectraForPreTraining",
        tokenizer=AlbertTokenizer(vocab=pieces),
    )
    return folder


def corrupted(told):
    """The tokens as the discriminator saw them."""
    return [token["text"] for token in told["tokens"]]


def chosen(told):
    """Positions of what was replaced."""
    return [one["position"] for one in told["chosen"]]


def judged(folder, ids):
    """transformers' probability of having been replaced, a token each."""
    import torch
    from transformers import ElectraForPreTraining

    with torch.no_grad():
        logits = ElectraForPreTraining.from_pretrained(folder).eval()(torch.tensor([ids])).logits
    return logits[0].double().sigmoid().tolist()


@pytest.mark.parametrize(("position", "piece"), [(1, "a"), (1, "▁the"), (2, "a"), (2, "▁the")])
def test_a_piece_of_ones_own_replaces_that_token_alone(asked, judge, position, piece):
    from transformers import AutoTokenizer

    told = asked("detect", "zoltan", "--model", str(judge), "--replace", f"{position}={piece}")
    tokenizer = AutoTokenizer.from_pretrained(judge)
    ids = tokenizer("zoltan")["input_ids"]
    assert told["original"] == tokenizer.convert_ids_to_tokens(ids)
    assert told["original"][1:3] == ["▁", "z"]
    ids[position] = tokenizer.convert_tokens_to_ids(piece)
    assert corrupted(told) == tokenizer.convert_ids_to_tokens(ids)
    assert chosen(told) == [position]
    assert told["truth"] == [i == position for i in range(len(ids))]
    assert told["probability"] == pytest.approx(judged(judge, ids), abs=2e-6)


def test_both_may_be_replaced(asked, judge):
    told = asked(
        "detect", "zoltan", "--model", str(judge), "--replace", "1=a", "--replace", "2=n",
    )  # fmt: skip
    assert corrupted(told)[1:3] == ["a", "n"]
    assert chosen(told) == [1, 2]


def test_another_word_leaves_it_alone(asked, judge):
    told = asked("detect", "zoltan sat", "--model", str(judge), "--replace", "8=mat on")
    assert corrupted(told)[1:3] == ["▁", "z"]
    assert not {1, 2} & set(chosen(told))


def test_what_is_no_piece_is_refused_in_one_sentence(judge, tmp_path, capsys):
    words = ("detect", "zoltan", "--model", str(judge), "--replace", "1=hippopotamus")
    assert cli.main(["--profile", str(tmp_path / "profile"), *words]) == MISTAKE
    out, complaint = capsys.readouterr()
    assert out == ""
    assert '"hippopotamus" is not one piece' in complaint
    assert complaint.count("\n") == 1


def test_words_at_both_are_kept_and_taken_back_one_by_one():
    from explorer.questions.detection.replaced_tokens.options import (
        CORRUPTION,
        Corruption,
        Replacement,
    )

    document = Document("zoltan")
    first, second = (Replacement(0, 1, "a", piece="a", nth=nth) for nth in (0, 1))
    both = Corruption().with_word(document, second).with_word(document, first)
    assert [word.put for word in both.words] == [first, second]
    kept = from_json(Document, to_json(document.with_option(CORRUPTION, both.option())))
    assert Corruption.of(kept) == both
    assert [word.put for word in both.without(first.place).words] == [second]
    whole = Replacement(0, 1, "b")
    assert [word.put for word in both.with_word(document, whole).words] == [whole]
    assert "nth" not in to_json(whole)


def test_both_are_masked_where_their_characters_are(asked):
    def masked(*masks):
        given = [word for mask in masks for word in ("--mask", mask)]
        told = asked("ask", "masked_tokens", TEXT, *given, "--model", "albert-miniature")
        return [i for i, token in enumerate(told["tokens"]) if token["masked"]]

    assert masked("13-14") == [4, 5]
    assert masked("13-14#2", "13-14#1") == [4, 5]
    assert masked("13-14#2") == [5]


def test_what_is_written_of_a_range_stays_as_it_was():
    document = Document(TEXT).with_mask(4, 8)
    assert '"masks":[{"start":4,"end":8,"part":0}]' in to_json(document)
    chosen = document.with_mask(13, 14, nth=1)
    assert from_json(Document, to_json(chosen)) == chosen
    assert from_json(Document, to_json(document)) == document


def test_a_range_over_single_tokens_takes_them_in():
    both = Document(TEXT).with_mask(13, 14, nth=1).with_mask(13, 14, nth=0)
    assert [mask.nth for mask in both.masks] == [0, 1]
    assert [mask.nth for mask in both.toggle_mask(13, 14, nth=0).masks] == [1]
    (whole,) = both.with_mask(9, 14).masks
    assert (whole.start, whole.end, whole.nth) == (9, 14, -1)
    assert both.without_mask(13, 14).masks == ()
    longer = both.with_text("so " + TEXT)
    assert [(mask.start, mask.nth) for mask in longer.masks] == [(16, 0), (16, 1)]
