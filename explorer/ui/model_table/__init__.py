"""The library as a table: to sort, to filter, to measure, and to choose two models to compare."""
