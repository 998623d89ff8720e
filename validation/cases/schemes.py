"""Every scheme, and its order by design."""

SCHEMES = {"upwind3": 3, "roe3": 3, "weno3": 3, "muscl": 2}
