"""Systems that are trained again and again, under three policies, on electricity prices and the weather."""
