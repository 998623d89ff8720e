"""What the flow must be: exact solutions and linear theory, values in, values out, numpy only."""
