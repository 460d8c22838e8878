"""Forward mode: functions in normal form, with statements for the tangents beside theirs."""
