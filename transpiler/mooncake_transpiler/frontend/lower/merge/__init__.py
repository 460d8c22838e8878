"""Values after branches and around loops."""
