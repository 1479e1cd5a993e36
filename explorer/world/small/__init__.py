"""A world so small that a model of a minute learns it, rule by rule; in English and in Korean."""
