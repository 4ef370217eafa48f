"""The form of the client whose calls are awaited."""
