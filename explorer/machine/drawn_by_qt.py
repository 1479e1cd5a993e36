"""Qt, where something is to be drawn without a window: whether it is here, and what to install."""

from explorer.api.question import MachineFault
from explorer.system_libraries import QT_GUI, draw_without_screen, install_line, missing
from explorer.text import N_


def need_qt() -> None:
    """See that Qt can be imported; where no window was made it draws for no screen.

    Raises:
        MachineFault: It is not installed, or lacks libraries of the system.
    """
    draw_without_screen()
    try:
        import PySide6.QtWidgets  # noqa: F401
    except ModuleNotFoundError:
        raise MachineFault(
            N_("Pictures are drawn by PySide6, which is not installed."),
            N_("Install it: pip install PySide6. Tables and numbers need none."),
        ) from None
    except ImportError as error:
        absent = missing(QT_GUI)
        line = install_line(absent)
        raise MachineFault(
            N_("Pictures are drawn by Qt, which lacks libraries of this system ({files})."),
            N_("Install them: {line}. Tables and numbers need none.")
            if line
            else N_("Install them as your system does. Tables and numbers need none."),
            files=", ".join(one.file for one in absent) or str(error),
            line=line,
        ) from None
