from .family import *  # noqa: F403
from .question import *  # noqa: F403
