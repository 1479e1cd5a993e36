"""Methods of attribution, what they are given, and where they are found."""
