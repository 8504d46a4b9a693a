"""summary.md of a folder of results: what ran where, then every comparison's own words. `summary.py DIR COMMAND`"""

import json
import sys
from pathlib import Path

ORDER = ("controls", "compare_taskset", "compare_mckp", "compare_edf", "compare_knapsack", "compare_speed", "compare_growth")


def main():
    folder, command = Path(sys.argv[1]), sys.argv[2]
    documents = [
        json.loads((folder / f"{name}.json").read_text()) for name in ORDER if (folder / f"{name}.json").exists()
    ]
    first = documents[0]
    differences = sum(len(document["differences"]) for document in documents)
    lines = [f"# isx against independent programs, {first['date']}", "", f"Command: `{command}`", ""]
    lines += [
        f"Machine: {first['hardware']}",
        "",
        f"**Differences between isx and the independent answers: {differences}**",
        "",
    ]
    lines += ["| program | version |", "|---|---|"]
    lines += [f"| {name} | {version} |" for name, version in first["versions"].items()]
    lines.append("")
    for document in documents:
        lines.append((folder / f"{document['comparison']}.md").read_text())
    (folder / "summary.md").write_text("\n".join(lines))


if __name__ == "__main__":
    main()
