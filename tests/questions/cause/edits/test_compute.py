"""Every edit against transformers' own forward pass over the edited text."""

from dataclasses import replace

import pytest

from explorer.api.question import Cancelled, Context, Mask, UserMistake
from explorer.questions.cause.edits.question import (
    DIFFERENCE,
    DIVERGENCE,
    LOG_PROBABILITY,
    QUESTION,
    EditsRequest,
    PredictionKind,
    summary,
)
from tests.hf import tiny
from tests.hf.kept import MODELS, miniature

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

WORDS = ("The", "chef", "cooked", "the", "in", "the", "kitchen")
CHEF = "The chef cooked the [MASK] in the kitchen."


def ask(name, text=CHEF, **fields):
    return tiny.ask_within(miniature(name), EditsRequest(text, **fields))


def edited(text, result, one):
    """The text as a person edits it."""
    where = result.words[one.place]
    assert text[where.start : where.end] == where.word
    return text[: where.start] + one.put + text[where.end :]


def by_transformers(name, text, *, causal):
    """Log-probabilities at the mask or of the next token, by transformers alone."""
    folder = MODELS / name
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    kind = transformers.AutoModelForCausalLM if causal else transformers.AutoModelForMaskedLM
    if name not in _LOADED:
        _LOADED[name] = kind.from_pretrained(folder).eval()
    inputs = tokenizer(text.replace("[MASK]", tokenizer.mask_token or ""), return_tensors="pt")
    with torch.inference_mode():
        logits = _LOADED[name](**inputs).logits[0]
    at = -1 if causal else inputs.input_ids[0].tolist().index(tokenizer.mask_token_id)
    return tokenizer, logits[at].double().log_softmax(-1)


_LOADED = {}


@pytest.mark.parametrize(
    ("name", "text", "asked", "against"),
    [
        ("bert-miniature", CHEF, "meal", "cake"),
        ("roberta-miniature", CHEF, "meal", "soup"),
        ("gpt2-miniature", "The chef cooked the", "meal", "soup"),
    ],
)
def test_every_number_is_transformers_own_for_the_edited_text(name, text, asked, against):
    causal = "[MASK]" not in text
    result = ask(name, text, word=asked, against=against, neighbours=2)
    tokenizer, before = by_transformers(name, text, causal=causal)
    word, other = (tokenizer(f" {w}", add_special_tokens=False).input_ids for w in (asked, against))
    assert len(word) == len(other) == 1
    assert result.kind is (PredictionKind.NEXT if causal else PredictionKind.MASK)
    assert result.log_probability == pytest.approx(float(before[word[0]]), abs=1e-5)
    assert len(result.edits) == 2 * len(result.words)
    assert result.skipped == 0
    for one in result.edits:
        _, after = by_transformers(name, edited(text, result, one), causal=causal)
        assert one.log_probability == pytest.approx(float(after[word[0]]), abs=1e-5)
        assert one.change == pytest.approx(float(after[word[0]] - before[word[0]]), abs=1e-5)
        difference = float(after[word[0]] - after[other[0]])
        assert one.difference == pytest.approx(difference, abs=1e-5)
        moved = difference - float(before[word[0]] - before[other[0]])
        assert one.difference_change == pytest.approx(moved, abs=1e-5)
        divergence = float((before.exp() * (before - after)).sum())
        assert one.divergence == pytest.approx(divergence, abs=1e-5)
        best = tokenizer.decode([int(after.argmax())]).strip().removeprefix("##")
        assert one.best.strip("…") == best
        assert one.best_probability == pytest.approx(float(after.max().exp()), abs=1e-5)


def test_words_of_the_users_are_put_into_every_place_with_their_number_of_pieces():
    result = ask("bert-miniature", words=("trowel", "telescope keeper"))
    assert [one.word for one in result.words] == list(WORDS)
    assert [one.put for one in result.edits] == ["trowel", "telescope keeper"] * 7
    for one in result.edits:
        _, after = by_transformers("bert-miniature", edited(CHEF, result, one), causal=False)
        assert one.cosine is None
        assert one.best_probability == pytest.approx(float(after.max().exp()), abs=1e-5)


def test_a_discriminator_is_asked_about_one_token():
    text = "The chef cooked the telescope in the kitchen."
    name = "electra-miniature-discriminator"
    judge = transformers.ElectraForPreTraining.from_pretrained(MODELS / name).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(MODELS / name)
    result = ask(name, text, words=("a", "two young cats"), position=5)
    assert (result.kind, result.word, result.tokens[5].text) == (
        PredictionKind.REPLACED,
        "replaced",
        "telescope",
    )
    assert "telescope" not in [one.word for one in result.words]
    for one in result.edits:
        inputs = tokenizer(edited(text, result, one), return_tensors="pt")
        at = tokenizer.convert_ids_to_tokens(inputs.input_ids[0]).index("telescope")
        with torch.inference_mode():
            logit = judge(**inputs).logits[0, at].double()
        expected = float(torch.nn.functional.logsigmoid(logit))
        assert one.log_probability == pytest.approx(expected, abs=1e-5)
        assert one.difference == pytest.approx(float(logit), abs=1e-5)
        assert one.best == ("replaced" if float(logit) > 0 else "original")
    # Nobody chose: the token that is suspected most.
    assert ask(name, text, words=("a",)).position == 5


def test_a_model_that_reads_from_the_left_has_no_edits_behind_the_mask():
    result = ask("gpt2-miniature", CHEF, words=("a",))
    assert [one.word for one in result.words] == ["The", "chef", "cooked", "the"]
    assert result.kind is PredictionKind.MASK


def test_of_several_masks_the_one_asked_about_is_followed():
    text = "The [MASK] cooked the [MASK] in the kitchen."
    model = miniature("bert-miniature")
    first, second = model.encode(text).mask_positions
    one, other = ask("bert-miniature", text), ask("bert-miniature", text, position=second)
    assert (one.position, other.position) == (first, second)
    assert one.best != other.best
    # What is no mask is not asked about.
    assert ask("bert-miniature", text, position=0).position == first


@pytest.mark.parametrize("name", ["t5-miniature", "gpt2-miniature"])
def test_a_later_mask_stands_behind_the_models_own_guess(name):
    text = "The [MASK] cooked the [MASK] in the kitchen."
    _first, second = miniature(name).encode(text).mask_positions
    result = ask(name, text, position=second, words=("a",))
    assert result.position == second
    assert result.edits


def test_masked_words_are_no_places_and_masks_keep_their_words():
    text = "The chef cooked the meal in the kitchen."
    result = ask("bert-miniature", text, masks=(Mask(20, 24),), words=("extraordinary",))
    assert "meal" not in [one.word for one in result.words]
    typed = ask("bert-miniature", CHEF, words=("extraordinary",))
    assert [one.divergence for one in result.edits] == pytest.approx(
        [one.divergence for one in typed.edits], abs=1e-6
    )


def test_edits_are_ranked_by_what_is_chosen_and_told():
    result = ask("bert-miniature", against="cake")
    for measure in (DIVERGENCE, LOG_PROBABILITY, DIFFERENCE):
        sizes = [abs(one.moved(measure)) for one in result.ranked(measure)]
        assert sizes == sorted(sizes, reverse=True)
    first = result.ranked(DIVERGENCE)[0]
    assert QUESTION.table(result).column("put")[0] == first.put
    row = summary(result)
    assert (row["put"], row["divergence"], row["edits"]) == (first.put, first.divergence, 28)
    none = replace(result, edits=())
    assert not QUESTION.headline_of(none).sentence
    assert summary(none)["edits"] == 0


@pytest.mark.parametrize(
    ("name", "fields", "problem"),
    [
        ("bert-miniature", {"text": "The chef cooked."}, "Nothing is masked"),
        ("bert-miniature", {"text": "  "}, "no text"),
        ("bert-miniature", {"word": "unputdownable"}, "no single piece"),
        ("bert-miniature", {"against": "unputdownable"}, "no single piece"),
        ("bert-miniature", {"words": tuple(map(str, range(51)))}, "there are 51"),
        ("bert-miniature", {"neighbours": 0}, "neighbours can't be 0"),
        ("gpt2-miniature", {"pair": "Another text."}, "one text"),
        ("electra-miniature-discriminator", {"word": "soup"}, "predicts no words"),
    ],
)
def test_what_cannot_be_asked_is_said_in_a_line(name, fields, problem):
    with pytest.raises(UserMistake, match=problem):
        ask(name, **fields)


def test_an_edit_that_does_not_fit_is_counted_and_left_out():
    model = miniature("bert-miniature")
    room = model.max_length - len(model.encode(CHEF).tokens)
    text = "The chef cooked the [MASK]" + " now" * room + " in the kitchen."
    assert model.encode(text).left_out is None
    result = ask("bert-miniature", text, words=("telescope keeper",))
    assert result.edits == ()
    assert result.skipped == len(result.words)


def test_a_cancel_comes_between_edits():
    told = []

    def progress(stage, done, total):
        told.append((stage, done, total))

    context = Context(progress=progress, is_cancelled=lambda: len(told) > 1)
    with pytest.raises(Cancelled):
        QUESTION.run(miniature("bert-miniature"), EditsRequest(CHEF, neighbours=20), context)
    assert told == [("trying edits", 0.0, 140.0), ("trying edits", 64.0, 140.0)]


BYTE_LEVEL = ("roberta-miniature", "gpt2-miniature")


@pytest.mark.parametrize("name", BYTE_LEVEL)
@pytest.mark.parametrize("text", ["the chef cooked the [MASK]", "Anna met the chef in the [MASK]"])
def test_a_neighbour_is_the_piece_that_is_put_wherever_the_word_stands(name, text):
    """At the beginning of a text byte-level vocabularies have other pieces than behind a space."""
    model = miniature(name)
    result = ask(name, text, neighbours=3)
    table = model.module.get_input_embeddings().weight.detach().double()
    cut = model.tokenizer.backend_tokenizer.encode
    assert result.edits
    for one in result.edits:
        word = result.words[one.place]
        before = cut(text[: word.start].rstrip(), add_special_tokens=False).ids
        own = cut(text[: word.end], add_special_tokens=False).ids[len(before) :]
        put = cut(text[: word.start] + one.put, add_special_tokens=False).ids[len(before) :]
        assert len(put) == 1, one.put
        mean, other = table[own].mean(0), table[put[0]]
        cosine = float(mean @ other / mean.norm() / other.norm())
        assert one.cosine == pytest.approx(cosine, abs=1e-5), (word.word, one.put)
