"""Can this model learn a task, and which of its weights must change for that?"""
