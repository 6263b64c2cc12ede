"""`justesse llm-judge`: how far a language model can be trusted as a judge, and figures corrected for its errors."""
