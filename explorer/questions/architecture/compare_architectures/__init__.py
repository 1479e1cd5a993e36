"""What does one model have that the other has not, and did one come from the other?"""
