"""From a question to an answer on record: asked of the engine, logged, shown, replaced."""
