"""What the plugin of a family may import: a toolkit over transformers.

Importing it imports neither torch nor transformers. What is deeper in it is the program's own and
moves as that needs it. Shapes are written as "batch x tokens x width", logarithms are natural ones.
"""

from explorer.faces import face

__getattr__, __dir__ = face(__name__)
