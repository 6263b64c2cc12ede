"""`justesse dossier`: records of evaluations, written, verified, repeated, compared and shown."""
