"""The small world's text, and the objectives that train the bundled miniatures on it.

``grammar``, ``world``, ``scenes``, ``corpus``, ``inside`` and ``objectives`` need numpy at most;
torch and transformers are imported by what trains and measures, inside its functions.
"""
