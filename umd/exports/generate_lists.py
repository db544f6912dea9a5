# SPDX-License-Identifier: MIT
"""generate_lists.py FOLDER: writes <library>.txt into FOLDER for each public library: what it offers, one name a line, by
the headers. A list that is current already is left alone."""
import os
import sys

import sources


def lists():
    """library -> names."""
    found = {library: sorted(names) for library, names in sources.public_functions().items()}
    found["libcuda"] = sorted({row[1] for row in sources.cuda_rows() + sources.cuda_refused_rows()})
    return found


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for library, names in lists().items():
        if not names:
            sys.exit(f"no header declares a function of {library}")
        path, text = os.path.join(folder, library + ".txt"), "".join(f"{name}\n" for name in names)
        if not os.path.exists(path) or sources.generate.read(path) != text:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)


if __name__ == "__main__":
    main()
