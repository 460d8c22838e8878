"""Numbers, and what is known ahead of time like numbers: text and enums."""
