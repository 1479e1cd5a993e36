"""Pictures of runs for a bundle, drawn from what the log has of them."""

from explorer.api.question import ExplorerError
from explorer.headless import AnsweredRun
from explorer.questions import question_of
from explorer.sessions.records import LoggedRun, StoredRun
from explorer.system_libraries import draw_without_screen


def picture_of(stored: StoredRun) -> bytes | None:
    """The page of a run as PNG; None where its answer is not kept whole, or its model is needed."""
    if stored.result is None or stored.request is None:
        return None
    draw_without_screen()
    try:
        from explorer.ui.export.alone import details_wanted, page_alone
    except ImportError:
        return None
    from explorer.export_choices import PictureChoice

    run = LoggedRun(
        question_of(stored.request),
        stored.document,
        stored.request,
        stored.result,
        stored.models,
        stored.seed,
        versions=stored.versions,
    )
    answered, choice = AnsweredRun(stored.result, run), PictureChoice(form="png")
    try:
        if details_wanted(answered):
            return None
        return page_alone(answered, choice).written(choice)
    except ExplorerError:
        return None
