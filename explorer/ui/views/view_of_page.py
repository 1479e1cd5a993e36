"""From a page to the kind of view that hosts it."""

from explorer.ui.blocks.page.page import Page
from explorer.ui.views.page_view import PageView
from explorer.ui.views.view import View


def view_of(page: Page) -> type[PageView]:
    """The kind of view that hosts a page."""
    return type(
        f"{page.of.name.title().replace('_', '')}View",
        (PageView,),
        {
            "__doc__": page.of.asks,
            "__module__": page.blocks.__module__,
            "declared": page,
            "of": page.of,
            "is_live": page.is_live,
            "needs_model": page.of.needs_model,
            "second_model_hint": page.of.second_model_hint or View.second_model_hint,
        },
    )
