"""The form of the client whose calls wait."""
