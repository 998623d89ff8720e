"""References against published numbers, and the frame that runs cases."""
