"""A program as hex words, one a line, for $readmemh."""
import sys

data = open(sys.argv[1], "rb").read()
data += bytes(-len(data) % 4)
for place in range(0, len(data), 4):
    print(f"{int.from_bytes(data[place:place + 4], 'little'):08x}")
