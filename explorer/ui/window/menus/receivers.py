"""What does what the menus are asked for, beside the window itself."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QAction

from explorer.ui.lectures.actions import LectureActions
from explorer.ui.saved_documents.documents import Documents
from explorer.ui.session_log.actions import LogActions
from explorer.ui.session_log.file_session import FileSession
from explorer.ui.sheet.sheet import Sheet
from explorer.ui.window.menus.commands import Commands
from explorer.ui.window.pages.second_pages import SecondPages
from explorer.ui.window.starts.first_steps import FirstSteps


@dataclass(frozen=True)
class Receivers:
    """What stands in a window and is reached through its menus."""

    commands: Commands
    lectures: LectureActions
    log: LogActions
    sheet: Sheet
    file_session: FileSession
    documents: Documents
    first_steps: FirstSteps
    second_pages: SecondPages
    on_stage: Sequence[QAction]
