// Placeholder: the first real file of this target replaces it.
