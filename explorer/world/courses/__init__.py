"""Documents that tell a course of events, in the order in which the world lets them happen.

What comes first is told by what is known of the things alone: carrots are peeled before they are
boiled, and Tuesday follows Monday. No sentence says it in its form: every form (`grammar`) is as
likely at every place, nothing is taken up by a pronoun, and no word joins one sentence to another.
"""
