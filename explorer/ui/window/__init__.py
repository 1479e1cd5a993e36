"""The main window: its menus, its areas, where everything stands."""
