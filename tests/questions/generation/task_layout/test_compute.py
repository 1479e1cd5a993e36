"""Layouts piece by piece, and answers that are transformers' own forward on the same pieces."""

import math

import pytest

from explorer.api.question import LeftOut, UserMistake
from explorer.questions.generation.task_layout.layouts import LayoutStyle
from explorer.questions.generation.task_layout.question import (
    QUESTION,
    TaskLayoutRequest,
    pieces,
)
from explorer.questions.generation.task_layout.tasks import TASKS
from tests.hf import tiny
from tests.hf.kept import MODELS, miniature
from tests.questions.generation.task_layout import made

torch = pytest.importorskip("torch")

TEXT, PAIR = "the cat sat on the mat", "it was great"
CHOICES = ("a dog run", "the movie was great")


def ask(model, task="cola", text=TEXT, pair=PAIR, **fields):
    return tiny.ask_within(model, TaskLayoutRequest(text, pair, task, **fields))


def choose(model, **fields):
    return ask(model, "copa", choices=" | ".join(CHOICES), **fields)


def layout(result, style):
    return next(one for one in result.layouts if one.style is style)


def said(sequence):
    return [one.token for one in sequence.pieces]


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Folders and loaded models, each made once."""
    root, known = tmp_path_factory.mktemp("layouts"), {}
    makers = {
        "choice": lambda folder: made.gpt1(folder, "DoubleHeadsModel"),
        "classes": lambda folder: made.gpt1(folder, "ForSequenceClassification", **made.NAMED),
        "plain": lambda folder: made.gpt1(
            folder, "ForSequenceClassification", marks=False, **made.NAMED
        ),
        "bert": lambda folder: made.other(
            folder, "bert", "BertForSequenceClassification", **made.NAMED
        ),
        "bert-choice": lambda folder: made.other(folder, "bert", "BertForMultipleChoice"),
        "t5": lambda folder: made.other(
            folder,
            "t5",
            "T5ForConditionalGeneration",
            task_specific_params={"cola": {"prefix": "cola sentence: "}},
        ),
    }

    def of(name):
        if name not in known:
            folder = makers[name](root / name)
            known[name] = folder, tiny.load(folder)
        return known[name]

    return of


def marked(tokenizer, *texts):
    """Start, texts with delimiters between them, extract: put together by hand."""
    start, delimiter, extract = tokenizer.convert_tokens_to_ids(made.MARKS)
    ids = [start]
    for text in texts:
        ids += [*tokenizer(text)["input_ids"], delimiter]
    return [*ids[:-1], extract]


def test_gpt1_chooses_as_its_own_class_does(kept):
    folder, model = kept("choice")
    rows = [marked(model.tokenizer, TEXT, one) for one in CHOICES]
    longest = max(map(len, rows))
    ids = torch.tensor([[row + [0] * (longest - len(row)) for row in rows]])
    last = torch.tensor([[len(row) - 1 for row in rows]])
    module = made.own_module(folder, "OpenAIGPTDoubleHeadsModel")
    with torch.no_grad():
        expected = module(input_ids=ids, mc_token_ids=last).mc_logits[0]
    result = choose(model)
    own, *others = result.layouts
    assert own.own
    assert own.style is LayoutStyle.GPT1
    assert not own.missing
    assert [[one.id for one in sequence.pieces] for sequence in own.sequences] == rows
    assert [one.read_out for one in own.sequences] == [(len(row) - 1,) for row in rows]
    assert not any(one.own for one in others)
    assert result.judged.labels == CHOICES
    assert result.judged.logits == pytest.approx(expected.tolist(), abs=1e-5)
    assert result.judged.probabilities == pytest.approx(expected.softmax(-1).tolist(), abs=1e-5)
    assert not result.judged.read
    assert not result.why
    answer, probability = result.said
    assert answer == CHOICES[int(expected.argmax())]
    assert probability == max(result.judged.probabilities)


def test_gpt1_reads_classes_at_the_extract_piece(kept):
    folder, model = kept("classes")
    module = made.own_module(folder, "OpenAIGPTForSequenceClassification")
    for task, texts in (("cola", (TEXT,)), ("mnli", (TEXT, PAIR)), ("qnli", (TEXT, PAIR))):
        ids = torch.tensor([marked(model.tokenizer, *texts)])
        with torch.no_grad():
            expected = module(input_ids=ids).logits[0]
        result = ask(model, task)
        assert result.judged.labels == tuple(made.LABELS.values())
        assert result.judged.logits == pytest.approx(expected.tolist(), abs=1e-5)
        chances = expected.softmax(-1).tolist()
        assert result.judged.probabilities == pytest.approx(chances, abs=1e-5)


def test_gpt1_adds_the_states_of_both_orders_before_the_head(kept):
    folder, model = kept("classes")
    module = made.own_module(folder, "OpenAIGPTForSequenceClassification")
    rows = [marked(model.tokenizer, *texts) for texts in ((TEXT, PAIR), (PAIR, TEXT))]
    with torch.no_grad():
        states = [module.transformer(torch.tensor([row])).last_hidden_state[0, -1] for row in rows]
        expected = module.score(sum(states))
    result = ask(model, "mrpc")
    assert [[one.id for one in s.pieces] for s in result.layouts[0].sequences] == rows
    assert result.judged.logits == pytest.approx(expected.tolist(), abs=1e-4)


def test_without_its_pieces_the_text_is_read_as_the_class_reads_it_and_that_is_told(kept):
    folder, model = kept("plain")
    module = made.own_module(folder, "OpenAIGPTForSequenceClassification")
    ids = model.tokenizer(TEXT)["input_ids"]
    with torch.no_grad():
        expected = module(input_ids=torch.tensor([ids])).logits[0]
    result = ask(model)
    own = result.layouts[0]
    assert own.missing == ("start", "extract")
    assert [one.id for one in own.sequences[0].pieces] == [None, *ids, None]
    (read,) = result.judged.read
    assert [one.id for one in read.pieces] == ids
    assert read.read_out == (len(ids) - 1,)
    assert result.judged.logits == pytest.approx(expected.tolist(), abs=1e-5)
    assert "judges by the last piece" in result.notes[0]
    # One order, as the class has it: nothing tells it that there are two texts.
    assert len(ask(model, "mrpc").judged.read) == 1


def test_bert_judges_a_pair_and_chooses_by_its_first_piece(kept):
    folder, model = kept("bert")
    module = made.own_module(folder, "BertForSequenceClassification")
    inputs = model.tokenizer(TEXT, PAIR, return_tensors="pt")
    with torch.no_grad():
        expected = module(**inputs).logits[0]
    result = ask(model, "mrpc")
    (sequence,) = result.layouts[0].sequences
    assert [one.id for one in sequence.pieces] == inputs["input_ids"][0].tolist()
    assert [one.segment for one in sequence.pieces] == inputs["token_type_ids"][0].tolist()
    assert sequence.read_out == (0,)
    assert result.judged.logits == pytest.approx(expected.tolist(), abs=1e-5)

    folder, model = kept("bert-choice")
    module = made.own_module(folder, "BertForMultipleChoice")
    inputs = model.tokenizer([TEXT] * 2, list(CHOICES), padding=True, return_tensors="pt")
    with torch.no_grad():
        expected = module(**{key: rows[None] for key, rows in inputs.items()}).logits[0]
    result = choose(model)
    assert result.judged.logits == pytest.approx(expected.tolist(), abs=1e-5)
    assert result.judged.probabilities == pytest.approx(expected.softmax(-1).tolist(), abs=1e-5)


def test_t5_writes_its_answer_and_weighs_the_texts_of_the_task(kept):
    folder, model = kept("t5")
    module = made.own_module(folder, "T5ForConditionalGeneration")
    inputs = model.tokenizer(f"cola sentence: {TEXT}", return_tensors="pt")
    result = ask(model, max_new_tokens=6)
    own = result.layouts[0]
    assert own.written == f"cola sentence: {TEXT}"
    assert [one.id for one in own.sequences[0].pieces] == inputs["input_ids"][0].tolist()
    assert not own.sequences[0].read_out
    users = [one.text for one in own.sequences[0].pieces if one.field == "first"]
    assert " ".join(users) == TEXT
    with torch.no_grad():
        written = module.generate(
            **inputs,
            max_new_tokens=6,
            do_sample=False,
            num_beams=1,
            output_scores=True,
            return_dict_in_generate=True,
        )
        scores = module.compute_transition_scores(
            written.sequences, written.scores, normalize_logits=True
        )[0]
    ids = written.sequences[0, 1:].tolist()
    assert [one.id for one in result.written.pieces] == ids
    assert [math.log(one.probability) for one in result.written.pieces] == pytest.approx(
        scores.tolist(), abs=1e-5
    )
    assert result.written.log_probability == pytest.approx(float(scores.sum()), abs=1e-4)
    for one in result.written.targets:
        labels = model.tokenizer(one.text, return_tensors="pt")["input_ids"]
        if model.tokenizer.unk_token_id in labels:
            assert one.log_probability is None
            continue
        with torch.no_grad():
            loss = module(**inputs, labels=labels).loss
        assert one.log_probability == pytest.approx(-float(loss) * labels.shape[1], abs=1e-4)
    assert any(one.log_probability is not None for one in result.written.targets)
    assert result.written.prefixed
    assert not any("names" in note for note in result.notes)
    other = ask(model, "sst2", max_new_tokens=1)
    assert not other.written.prefixed
    assert any("names prefixes (cola sentence:)" in note for note in other.notes)


@pytest.mark.parametrize(
    ("name", "lost", "task"),
    [
        ("choice", "multiple_choice_head.summary.weight", "copa"),
        ("classes", "score.weight", "cola"),
        ("bert-choice", "classifier.bias", "copa"),
    ],
)
def test_a_head_whose_weights_are_not_in_the_files_never_answers(kept, tmp_path, name, lost, task):
    model = tiny.load(tiny.without(kept(name)[0], tmp_path / "part", lost))
    result = ask(model, task, choices=" | ".join(CHOICES))
    assert result.judged is None
    assert result.written is None
    assert lost in result.why
    assert result.layouts[0].own
    assert result.layouts[0].sequences
    assert result.said == ("", None)


def test_a_piece_without_a_vector_is_none(kept, tmp_path):
    """Added to the tokenizer and not to the model: the published way to forget it."""
    from transformers import AutoTokenizer

    folder = made.gpt1(tmp_path / "short", "ForSequenceClassification", marks=False, **made.NAMED)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.add_tokens(made.MARKS, special_tokens=True)
    tokenizer.save_pretrained(folder)
    result = ask(tiny.load(folder))
    assert result.layouts[0].missing == ("start", "extract")
    assert result.judged.read


def test_heads_for_two_texts_are_none_of_these_tasks():
    result = ask(miniature("bert-miniature"), "mnli")
    assert result.judged is None
    assert "whether one text follows another" in result.why
    assert "ForSequenceClassification" in result.why


def test_t5_that_was_trained_on_spans_alone_is_told():
    result = ask(miniature("t5-miniature"), max_new_tokens=8)
    assert result.written.text
    assert not result.written.prefixed
    assert any("names no prefix" in note for note in result.notes)
    assert any("the token of a mask" in note for note in result.notes)


PRINTED = {
    "cola": "cola sentence: A",
    "sst2": "sst2 sentence: A",
    "mnli": "mnli hypothesis: B premise: A",
    "rte": "rte sentence1: A sentence2: B",
    "qnli": "qnli question: A sentence: B",
    "mrpc": "mrpc sentence1: A sentence2: B",
    "qqp": "qqp question1: A question2: B",
    "stsb": "stsb sentence1: A sentence2: B",
    "copa": "copa choice1: C choice2: D premise: A question: cause",
    "squad": "question: B context: A",
    "cnn_dm": "summarize: A",
    "wmt_de": "translate English to German: A",
    "wmt_fr": "translate English to French: A",
    "wmt_ro": "translate English to Romanian: A",
}
"""Raffel et al. 2020, appendix D, and the authors' preprocessors."""


@pytest.mark.parametrize("task", TASKS)
def test_every_task_is_laid_out_as_it_was_published(task):
    model = miniature("gpt1-miniature")
    result = ask(model, task, "A", "B", choices="C|D", asks="cause")
    gpt1, bert, t5 = (layout(result, style) for style in LayoutStyle)
    if task in PRINTED:
        assert t5.written == PRINTED[task]
        assert said(t5.sequences[0])[-1] == "</s>"
    else:
        assert task == "swag", "T5 was trained on all others"
        assert not t5.sequences
    kinds = {
        "classification": ([["start", "a", "extract"]], [["[CLS]", "a", "[SEP]"]]),
        "entailment": (
            [["start", "a", "delimiter", "b", "extract"]],
            [["[CLS]", "a", "[SEP]", "b", "[SEP]"]],
        ),
        "similarity": (
            [
                ["start", *one, "extract"]
                for one in (("a", "delimiter", "b"), ("b", "delimiter", "a"))
            ],
            [["[CLS]", "a", "[SEP]", "b", "[SEP]"]],
        ),
        "choice": (
            [["start", "a", "delimiter", one, "extract"] for one in "cd"],
            [["[CLS]", "a", "[SEP]", one, "[SEP]"] for one in "cd"],
        ),
        "answer": ([], [["[CLS]", "b", "[SEP]", "a", "[SEP]"]]),
        "text": ([], []),
    }
    left, both = kinds[TASKS[task].kind.value]
    bare = [[one.removesuffix("</w>") for one in said(s)] for s in gpt1.sequences]
    assert bare == left
    bare = [[one.removesuffix("</w>") for one in said(s)] for s in bert.sequences]
    assert bare == both
    segments = {tuple(one.segment for one in s.pieces) for s in bert.sequences}
    assert segments <= {(0, 0, 0), (0, 0, 0, 1, 1)}
    if TASKS[task].kind.value == "answer":  # read out at every piece of the passage
        assert bert.sequences[0].read_out == (3,)


def test_t5_was_not_trained_on_swag(kept):
    _, model = kept("t5")
    result = ask(model, "swag", choices="a | b")
    assert not result.layouts[0].sequences
    assert "not trained on this task" in result.why


def test_four_endings_are_scored_as_transformers_class_scores_them():
    """Devlin et al. 2019, section 4.4: each with the context as a pair, a softmax over the four."""
    from transformers import AutoTokenizer, BertForMultipleChoice

    folder = MODELS / "bert-endings-miniature"
    own, tokenizer = (one.from_pretrained(folder) for one in (BertForMultipleChoice, AutoTokenizer))
    endings = ("He used a pan.", "He used a trowel.", "It was boring.", "Tomorrow is Friday.")
    context = "The chef cooked the meal in the kitchen."
    read = tokenizer([context] * 4, list(endings), padding=True, return_tensors="pt")
    with torch.no_grad():
        expected = own(**{name: one[None] for name, one in read.items()}).logits[0]
    result = ask(miniature("bert-endings-miniature"), "swag", context, choices="|".join(endings))
    assert result.judged.labels == endings
    assert result.judged.logits == pytest.approx(expected.tolist(), abs=1e-4)
    assert result.judged.probabilities == pytest.approx(expected.softmax(-1).tolist(), abs=1e-5)
    assert result.judged.best == 0


def test_t5_has_two_choices(kept):
    _, model = kept("t5")
    result = ask(model, "copa", choices="a | b | c")
    assert not result.layouts[0].sequences
    assert "exactly two choices" in result.why
    assert len(layout(result, LayoutStyle.GPT1).sequences) == 3


def test_what_is_missing_or_too_long_is_said_in_a_sentence(kept):
    _, model = kept("classes")
    for wrong, words in (
        ({"text": "  "}, "no text"),
        ({"task": "mnli", "pair": None}, "asked of two texts"),
        ({"task": "copa", "choices": "one"}, "nothing to choose among"),
        ({"task": "none"}, "--task can't be none"),
        ({"task": "copa", "choices": "a|b", "asks": "why"}, "--asks can't be why"),
        ({"max_new_tokens": 0}, "can't be 0"),
    ):
        with pytest.raises(UserMistake, match=words):
            ask(model, **wrong)
    long = ask(model, text=" ".join([TEXT] * 8))
    assert long.judged is None
    assert "this model reads 24" in long.why
    cut = ask(kept("bert")[1], text=" ".join([TEXT] * 8))
    assert isinstance(cut.left_out, LeftOut)
    assert cut.judged is not None
    masked = ask(model, text="the [MASK] sat")
    assert masked.judged is None
    assert "There is a mask" in masked.why


def test_a_class_with_a_decoder_and_a_head_judges_by_the_piece_that_ends_the_text(tmp_path):
    """T5 as a classifier writes nothing, and reads no prefix."""
    name = "T5ForSequenceClassification"
    folder = made.other(tmp_path / "t5", "t5", name, **made.NAMED)
    model = tiny.load(folder)
    inputs = model.tokenizer(TEXT, return_tensors="pt")
    with torch.no_grad():
        expected = made.own_module(folder, name)(**inputs).logits[0]
    result = ask(model)
    (sequence,) = result.layouts[0].sequences
    ids = inputs["input_ids"][0].tolist()
    assert [one.id for one in sequence.pieces] == ids
    assert sequence.read_out == (len(ids) - 1,)
    assert result.judged.logits == pytest.approx(expected.tolist(), abs=1e-5)


def test_one_number_and_several_classes_are_told_apart(tmp_path):
    one = made.other(tmp_path / "one", "bert", "BertForSequenceClassification", num_labels=1)
    result = ask(tiny.load(one), "stsb")
    assert len(result.judged.logits) == 1
    assert result.judged.probabilities == ()
    answer, probability = result.said
    assert float(answer) == pytest.approx(result.judged.logits[0], rel=1e-3)
    assert probability is None
    several = made.other(
        tmp_path / "several",
        "bert",
        "BertForSequenceClassification",
        problem_type="multi_label_classification",
        **made.NAMED,
    )
    judged = ask(tiny.load(several)).judged
    assert judged.several
    expected = [1 / (1 + math.exp(-value)) for value in judged.logits]
    assert judged.probabilities == pytest.approx(expected, abs=1e-6)


def test_tables_and_summary(kept):
    result = choose(kept("choice")[1])
    every = pieces(result)
    assert len(every.rows) == sum(
        len(one.pieces) for told in result.layouts for one in told.sequences
    )
    assert sum(every.column("read_out")) == 4
    table = QUESTION.table(result)
    assert table.column("what") == (*["answer"] * 2, *["gpt1"] * 2, *["bert"] * 2, "t5")
    assert table.column("text")[:2] == CHOICES
    assert table.column("probability")[:2] == result.judged.probabilities
    assert table.column("text")[2].startswith("_start_ ")
    row = QUESTION.summary(result)
    assert (row["task"], row["answer"]) == ("copa", result.said[0])
    assert row["tokens"] == max(len(one.pieces) for one in result.layouts[0].sequences)
    nothing = ask(miniature("gpt1-miniature"))
    assert set(QUESTION.table(nothing).column("what")) == {"gpt1", "bert", "t5"}
    assert QUESTION.summary(nothing)["task"] == "cola"
    written = ask(kept("t5")[1], max_new_tokens=2)
    first, *targets = QUESTION.table(written).rows
    assert first[:2] == ("written", written.written.text)
    assert first[3] == pytest.approx(math.exp(first[2]))
    assert [row[1] for row in targets if row[0] == "target"] == ["unacceptable", "acceptable"]
