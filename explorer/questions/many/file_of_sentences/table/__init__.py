"""The rows of a file on the page: a table to sort and filter, which grows while rows come."""
