"""What a second page is asked, and what becomes of the window's document where it is changed."""

from explorer.document import Document
from explorer.questions import all_questions
from explorer.questions.former_names import document_today
from explorer.ui.document.second_page import (
    SecondPage,
    carried_second_pages,
    open_twice,
    question_of,
    second_name,
    settings_of,
    texts_of,
    without_second_pages,
)

OF = all_questions()["attention"]
DRAWN, OTHER = "attention.draw_as", "surprisal.unit"
DOCUMENT = Document("the chef cooked", top_k=5).with_mask(4, 8).with_option(OTHER, "bits")


def twice(second, document=DOCUMENT):
    return second.put(document, OF.name)


def test_a_page_has_a_name_and_its_question_another():
    assert question_of(second_name("attention")) == "attention"
    assert question_of("attention") == "attention"
    assert second_name("attention") != "attention"


def test_it_is_an_option_of_the_document_and_read_back():
    second = SecondPage(True, texts_of(DOCUMENT), settings_of(DOCUMENT, OF))
    document = twice(second)
    assert SecondPage.of(document, OF.name) == second
    assert open_twice(document) == [OF.name]
    assert without_second_pages(document) == DOCUMENT
    assert carried_second_pages(document, Document("a")).option("attention.second_page")
    assert SecondPage.of(document_today(document), OF.name) == second


def test_what_can_not_be_read_is_a_page_that_follows_in_all():
    document = DOCUMENT.with_option("attention.second_page", {"other_model": "yes"})
    assert SecondPage.of(document, OF.name) == SecondPage()
    assert SecondPage.of(DOCUMENT, OF.name) is None


def test_one_that_follows_changes_the_window_s_document():
    document = twice(SecondPage())
    second = SecondPage.of(document, OF.name)
    assert second.seen(document, OF) == DOCUMENT
    now = DOCUMENT.with_text("the cook ate").with_option(DRAWN, "lines")
    assert second.changed(document, OF, now) == twice(second, now)


def test_one_that_holds_its_text_changes_that_alone():
    held = SecondPage(held=texts_of(DOCUMENT))
    document = held.put(DOCUMENT.with_text("another"), OF.name)
    assert held.seen(document, OF) == DOCUMENT
    changed = held.changed(document, OF, DOCUMENT.without_masks().with_option(DRAWN, "lines"))
    assert changed.text == "another"
    assert changed.option(DRAWN) == "lines"
    assert SecondPage.of(changed, OF.name).held == texts_of(DOCUMENT.without_masks())


def test_texts_are_exchanged_with_their_masks():
    held = SecondPage(held=texts_of(DOCUMENT))
    document = held.exchanged(held.put(Document("another"), OF.name), OF.name)
    assert (document.text, document.masks) == (DOCUMENT.text, DOCUMENT.masks)
    assert SecondPage.of(document, OF.name).held.text == "another"


def test_settings_of_its_own_are_those_of_its_question_alone():
    own = SecondPage(settings=settings_of(DOCUMENT.with_option(DRAWN, "lines"), OF))
    document = twice(own, DOCUMENT.with_option(DRAWN, "matrix"))
    assert own.seen(document, OF).option(DRAWN) == "lines"
    assert own.seen(document, OF).option(OTHER) == "bits"
    now = own.seen(document, OF).with_option(DRAWN, None).with_option(OTHER, "nats")
    changed = own.changed(document, OF, now)
    assert (changed.option(DRAWN), changed.option(OTHER)) == ("matrix", "nats")
    assert SecondPage.of(changed, OF.name).seen(changed, OF).option(DRAWN) is None


def test_the_other_model_is_the_one_that_does_not_answer():
    assert [SecondPage(True).slot(one) for one in "AB"] == ["B", "A"]
    assert [SecondPage().slot(one) for one in "AB"] == ["A", "B"]
