"""A signed lockstep transcript between peers: a sans-I/O core, trio at the edge."""
