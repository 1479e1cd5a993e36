__version__: str

from explorer.scripting.answer import ModelAnswer as ModelAnswer
from explorer.scripting.asking import ask as ask
from explorer.scripting.asking import ask_file as ask_file
from explorer.scripting.asking import ask_steps as ask_steps
from explorer.scripting.listing import models as models
from explorer.scripting.listing import plugins as plugins
from explorer.scripting.mistakes import Mistake as Mistake
from explorer.scripting.mistakes import Trouble as Trouble
from explorer.scripting.model import Model as Model
from explorer.scripting.model import open as open  # noqa: A004
from explorer.scripting.process import offline as offline
from explorer.scripting.process import use as use
from explorer.scripting.runs import LoggedRuns as LoggedRuns
from explorer.scripting.runs import log as log
from explorer.scripting.training import Training as Training
from explorer.scripting.training import distil as distil
from explorer.scripting.training import train as train
from explorer.scripting.training import trainings as trainings
from explorer.scripting.training import tune as tune
