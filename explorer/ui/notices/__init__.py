"""What the user is told and can read up: notices, faults, the glossary, the keys."""
