"""What is behind the window and lives on when it is made anew: the workbench, and the settings."""
