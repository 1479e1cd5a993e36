"""What is learnt: a module for each objective, and the recipe that a plan asks for."""
