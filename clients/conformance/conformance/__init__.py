"""The conformance suite of modemd's clients. It needs Python 3.11 and nothing else."""
