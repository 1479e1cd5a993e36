"""The exact answer of the miniatures' world beside a model's: how it is asked for, what it says.

The question of this name answers it; others lay it beside their answers, and claims name it.
"""

NAME = "exact_answers"
"""What the question is called, and what claims call what is laid beside an answer."""
