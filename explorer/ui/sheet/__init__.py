"""The comparison sheet: answers of several views on one page, saved as one file."""
