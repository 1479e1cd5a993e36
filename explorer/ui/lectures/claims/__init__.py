"""What a scene claims: in words, checked in the answer on screen, suggested when one is saved."""
