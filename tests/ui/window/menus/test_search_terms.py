"""Pages, models and samples are found by the words of the field and of every day.

In English and in Korean, whichever of them the window speaks.
"""

import unicodedata
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from explorer.engine.messages import Download
from explorer.paths import own_resources
from explorer.samples.samples import samples
from explorer.text import _
from explorer.text import language as languages
from explorer.text.glossary import glossary
from explorer.text.language import find
from explorer.text.messages import of_program
from explorer.ui.views import listed
from explorer.ui.window.menus.command_finder import CommandFinder
from explorer.ui.window.menus.menu_commands import EVERYDAY
from tests.quick_bot import QuickBot
from tests.stored_runs.recorded import RECORDED
from tests.ui.fake_engine import CACHED, HUB, MINIATURE
from tests.ui.window.test_language import speak

PAGES = {
    # The field's terms.
    "perplexity": "surprisal",
    "PPL": "surprisal",
    "pseudo-log-likelihood": "surprisal",
    "saliency": "attribution",
    "integrated gradients": "attribution",
    "Shapley": "attribution",
    "feature importance": "attribution",
    "faithfulness": "attribution_benchmark",
    "feed-forward neurons": "neurons",
    "top activating texts": "neurons",
    "probing": "probe",
    "linear probe": "probe",
    "CKA": "layer_similarity",
    "anisotropy": "layer_similarity",
    "patching": "patching",
    "activation patching": "patching",
    "causal tracing": "patching",
    "direct logit attribution": "logit_parts",
    "DLA": "logit_parts",
    "counterfactual": "edits",
    "NER": "token_labels",
    "part of speech": "token_labels",
    "token classification": "token_labels",
    "question answering": "answer_span",
    "SQuAD": "answer_span",
    "reading comprehension": "answer_span",
    "few-shot": "prompt",
    "zero-shot": "prompt",
    "in-context learning": "prompt",
    "top-k": "masked_tokens",
    "fill-mask": "masked_tokens",
    "MLM": "masked_tokens",
    "cloze": "masked_tokens",
    "entropy": "masked_tokens",
    "beam search": "joint_decoding",
    "nucleus sampling": "continuation",
    "top-p": "continuation",
    "text generation": "continuation",
    "FLOPs": "architecture",
    "parameters": "architecture",
    "model size": "architecture",
    "NSP": "sentence_pair",
    "entailment": "sentence_pair",
    "sentence order prediction": "sentence_pair",
    "sentiment": "tune",
    "embeddings": "word_journey",
    "PCA": "word_journey",
    "t-SNE": "word_journey",
    "tsne": "word_journey",
    "polysemy": "word_journey",
    "heatmap": "attention",
    "self-attention": "attention",
    "head view": "bertviz",
    "QKV": "query_key",
    "pruning": "head_ablation",
    "c2p": "disentangled_attention",
    "DeBERTa": "disentangled_attention",
    "relative position": "disentangled_attention",
    "early exit": "logit_lens",
    "RTD": "replaced_tokens",
    "discriminator": "replaced_tokens",
    "recall": "many_draws",
    "knowledge distillation": "soft_targets",
    "dark knowledge": "soft_targets",
    "temperature": "soft_targets",
    "KL divergence": "soft_targets",
    "bfloat16": "numerical_precision",
    "reliability curve": "calibration",
    "ECE": "calibration",
    "GGUF": "numerical_precision",
    "latency": "cost",
    "dynamic masking": "masking_policy",
    "whole word masking": "masking_policy",
    "SBO": "span_boundary",
    "tokenization": "tokens",
    "WordPiece": "tokens",
    "BPE": "merge_steps",
    "vocabulary size": "train_tokenizer",
    "similar words": "vocabulary",
    "TensorBoard": "training_curves",
    "learning rate": "train",
    "warm-up": "train",
    "masking rate": "train",
    "train from scratch": "train",
    "train my own model": "train",
    "SiFT": "train",
    "compare runs": "training_curves",
    "confidence interval": "training_curves",
    "loss curve": "training_curves",
    "batch size": "experiments",
    "scaling laws": "experiments",
    "replication": "experiments",
    "embedding": "word_journey",
    "fine-tuning": "tune",
    "BLiMP": "minimal_pairs",
    "StereoSet": "bias",
    "stereotype": "bias",
    "편향 측정": "bias",
    "minimal pairs": "minimal_pairs",
    "grammaticality": "minimal_pairs",
    "GLUE": "task_layout",
    "translate": "task_layout",
    "TransE": "entities",
    "commonsense": "graph_question",
    "knowledge graph": "entities",
    "calibration": "calibration",
    "confusion matrix": "file_of_sentences",
    "ground truth": "exact_answers",
    "why did the model say this": "attribution",
    "compare models": "compare_architectures",
    "which words matter": "attribution",
    "gpt-3": "prompt",
    # The same in Korean.
    "왜": "attribution",
    "학습 곡선": "training_curves",
    "손실 곡선": "training_curves",
    "과적합": "training_curves",
    "학습률": "train",
    "모델 학습": "train",
    "워밍업": "train",
    "나만의 모델": "train",
    "어텐션": "attention",
    "퍼플렉시티": "surprisal",
    "기여도": "attribution",
    "뉴런": "neurons",
    "프로빙": "probe",
    "표현 유사도": "layer_similarity",
    "활성 패칭": "patching",
    "개체명 인식": "token_labels",
    "개체명인식": "token_labels",
    "품사 태깅": "token_labels",
    "질의응답": "answer_span",
    "기계 독해": "answer_span",
    "퓨샷": "prompt",
    "빈칸 채우기": "masked_tokens",
    "엔트로피": "masked_tokens",
    "빔 서치": "joint_decoding",
    "텍스트 생성": "continuation",
    "파라미터": "architecture",
    "다음 문장 예측": "sentence_pair",
    "감성 분석": "tune",
    "임베딩": "word_journey",
    "주성분 분석": "word_journey",
    "히트맵": "attention",
    "가지치기": "head_ablation",
    "상대 위치": "disentangled_attention",
    "판별기": "replaced_tokens",
    "지식 증류": "soft_targets",
    "지식증류": "soft_targets",
    "다크 지식": "soft_targets",
    "온도": "soft_targets",
    "속도": "cost",
    "동적 마스킹": "masking_policy",
    "토큰화": "tokens",
    "비슷한 단어": "vocabulary",
    "번역": "task_layout",
    "상식 추론": "graph_question",
    "정확도": "file_of_sentences",
    "왜 이렇게 답했나": "attribution",
}
"""What is typed, and the question whose page is listed first."""

COMMANDS = {
    "export csv": "export_view_table",
    "표 저장": "export_view_table",
    "dark mode": "scheme_dark",
    "다크 모드": "scheme_dark",
    "font size": "larger",
    "글자 크기": "larger",
    "download": "get_real_model",
    "Hugging Face": "get_real_model",
    "quantization": "dtype_8bit",
    "screenshot": "export_view_copy_picture",
    "단축키": "shortcuts",
    "keyboard shortcuts": "shortcuts",
    "새 버전": "check_updates",
    "language": "language_en",
    "언어": "language_en",
    "star": "star_page",
    "favourites": "star_page",
    "즐겨찾기": "star_page",
}
"""What is typed, and the action of the menus that is listed first."""


@pytest.fixture(params=["en", "ko"])
def window(request, running, qtbot):
    """A window that speaks a language."""
    return running.window if request.param == "en" else speak(running, qtbot, request.param)


@pytest.fixture(scope="module", params=["en", "ko"])
def shared_window(request, start_once):
    """The same for all that look for something and choose nothing; and the language it speaks."""
    running, before = start_once(), languages.current()
    window = running.window if request.param == "en" else speak(running, QuickBot(request), "ko")
    spoken = languages.use(before)
    return window, spoken


def opened(window, qtbot):
    """The field that a click on what looks like one opens."""
    QTest.mouseClick(window.sidebar.find_button, Qt.MouseButton.LeftButton)
    found = window.findChild(CommandFinder)
    qtbot.waitUntil(found.isVisible)
    return found


@pytest.fixture
def finder(shared_window, qtbot):
    """Looks for something; nothing is to be chosen in it."""
    window, spoken = shared_window
    languages.use(spoken)
    found = opened(window, qtbot)
    yield found
    found.close()
    qtbot.waitUntil(lambda: window.findChild(CommandFinder) is None)


@pytest.fixture
def own_finder(window, qtbot):
    """In a window of the test's own."""
    return opened(window, qtbot)


def first(finder, text):
    finder.field.setText(text)
    action = finder.action_of(0)
    return "" if action is None else action.objectName()


def titles(finder):
    model = finder.listed.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def test_each_term_finds_its_page_first_in_either_language(finder):
    missed = {
        text: found
        for text, page in PAGES.items()
        if (found := first(finder, text)) != f"show_view_{page}"
    }
    assert not missed


def test_everyday_words_find_what_the_menus_do(finder):
    missed = {
        text: found for text, name in COMMANDS.items() if (found := first(finder, text)) != name
    }
    assert not missed


def test_everyday_words_are_of_actions_that_there_are(running, qtbot):
    menus = running.window.menus
    qtbot.waitUntil(lambda: "device" in menus.chosen)
    known = {action.objectName() for _title, group in menus.groups() for action in group}
    assert set(EVERYDAY) <= known


def test_every_page_is_found_by_its_title_in_either_language(finder):
    korean = find("ko", own_resources() / "locale").texts
    for page in listed():
        for title in (page.of.title, korean.gettext(page.of.title)):
            assert first(finder, title) == f"show_view_{page.of.name}", title


def test_every_page_is_found_by_its_former_titles(finder):
    korean = {"이어쓰기": "continuation", "바꾸기와 패칭": "patching"}
    former = of_program().former.mended
    known = {then: page.of.name for page in listed() for then in former.get(page.of.title, ())}
    assert known["Continue"] == "continuation"
    for title, name in {**known, **korean}.items():
        assert first(finder, title) == f"show_view_{name}", title


def test_a_question_in_words_finds_what_has_most_of_them(finder):
    assert first(finder, "how do i export the numbers as csv ?") == "export_view_table"
    assert first(finder, "show me the attention heatmap please") == "show_view_attention"


def test_a_term_within_another_word_is_not_taken_for_it(finder):
    first(finder, "NER")
    assert not [title for title in titles(finder) if "gener" in title.casefold()]


def test_letters_of_syllables_find_the_syllables(finder):
    # As a file's name on a Mac has them.
    apart = unicodedata.normalize("NFD", "지식 증류")
    assert apart != "지식 증류"
    assert first(finder, apart) == "show_view_soft_targets"


def enter(finder, text, title):
    """Choose a row by its title and press Enter."""
    finder.field.setText(text)
    row = titles(finder).index(title)
    for _step in range(row):
        QTest.keyClick(finder.field, Qt.Key.Key_Down)
    QTest.keyClick(finder.field, Qt.Key.Key_Return)


def test_a_model_that_is_here_is_found_and_loaded(window, own_finder, running, qtbot):
    enter(own_finder, CACHED.title, CACHED.title)
    cards = running.bench.models.cards
    qtbot.waitUntil(lambda: cards["A"].stamp.id == CACHED.id)


def test_a_model_that_is_elsewhere_is_shown_and_not_downloaded(window, own_finder, engine, qtbot):
    enter(own_finder, HUB.id.replace("-", " "), HUB.title)
    qtbot.waitUntil(lambda: window.library.chosen == HUB)
    assert window.library.isVisible()
    assert not [call for call in engine.calls if isinstance(call, Download)]


def test_a_sample_is_found_by_its_words_and_taken(window, own_finder, running, qtbot):
    sample = next(one for one in samples() if one.view == "surprisal")
    enter(own_finder, " ".join(sample.text.split()[:4]), _(sample.title))
    assert running.bench.state.document.text == sample.text
    qtbot.waitUntil(lambda: window.view_area.current.question == "surprisal")


def test_an_option_is_found_under_its_page_and_the_keyboard_goes_to_it(window, own_finder, qtbot):
    enter(own_finder, _("Top"), _("Top"))
    qtbot.waitUntil(own_finder.isHidden)
    assert window.view_area.current.question in {one.of.name for one in listed()}


def test_the_settings_of_a_page_open_for_an_option_that_stands_in_them(engine, start, qtbot):
    run = RECORDED["attention"]
    engine.catalogue = (replace(MINIATURE, operations=("attention",)),)
    engine.answers[type(run.request)] = lambda _request, _card: run.result
    window = start(page="attention").window
    view = window.current_view()
    key, control = next(iter(view.bar.others.items()))
    assert not control.isVisible()
    window.commands.show_option("attention", key)
    assert control.isVisible()
    assert control.isAncestorOf(window.focusWidget())


def test_a_term_is_found_and_explained(window, own_finder, qtbot):
    term = next(iter(glossary()))
    enter(own_finder, term, term)
    qtbot.waitUntil(lambda: window.findChild(QDialog, "glossary") is not None)
    assert window.findChild(QDialog, "glossary").filter.text() == term.partition(" (")[0]


def test_the_search_opens_where_its_field_is(shared_window, finder):
    field = shared_window[0].sidebar.find_button
    assert (finder.pos() - field.mapToGlobal(QPoint())).manhattanLength() < 8
