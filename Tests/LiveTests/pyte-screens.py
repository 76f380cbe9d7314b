# Feeds frames to pyte (https://pypi.org/project/pyte/), a terminal that others wrote, and says where it shows something else.
#
# usage: pyte-screens.py FILE: a line of JSON a frame: {"columns", "rows", "bytes", "lines"}; bytes in hexadecimal. A change
# of the size begins on a new screen.
import json
import sys

import pyte

screen = stream = None
for number, line in enumerate(open(sys.argv[1], encoding="utf-8")):
    frame = json.loads(line)
    if screen is None or (screen.columns, screen.lines) != (frame["columns"], frame["rows"]):
        screen = pyte.Screen(frame["columns"], frame["rows"])
        stream = pyte.ByteStream(screen)
    stream.feed(bytes.fromhex(frame["bytes"]))
    shown = [row.rstrip() for row in screen.display]
    if shown != frame["lines"]:
        print(f"frame {number} differs")
        for row, (found, expected) in enumerate(zip(shown, frame["lines"])):
            if found != expected:
                print(f"  row {row}: {found!r}, expected {expected!r}")
        sys.exit(1)
print("all frames are the same")
