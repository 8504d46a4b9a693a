"""Pages of sweeps, held against what `isx sweep report --format json` writes."""

from fractions import Fraction

from shows import Fault, shown

# What a reader sees: the tables, the texts, and how many pictures there are with how many lines each.
SEEN = """() => {
  const table = (id) => [...document.querySelectorAll(`#${id} tbody tr`)].map((row) => [...row.cells].map((cell) => cell.textContent));
  return {
    tables: { cells: table('cells'), weighted: table('weighted'), pairs: table('pairs') },
    spec: document.getElementById('spec').textContent,
    title: document.getElementById('title').textContent,
    pictures: [...document.querySelectorAll('#pictures svg')].map((svg) => svg.querySelectorAll('polyline, path[fill=none], path.line').length),
  };
}"""

WRONG = """() => {
  const wrong = [];
  const box = (element) => element.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
  for (const svg of document.querySelectorAll('#pictures svg')) {
    const outer = box(svg);
    if (outer.right > innerWidth + 1) wrong.push('a picture is off the screen');
    const texts = [...svg.querySelectorAll('text')].filter((text) => text.textContent.trim() && !text.querySelector('title'));
    texts.forEach((text, at) => {
      const inner = box(text);
      const words = `"${text.textContent.slice(0, 40)}"`;
      if (inner.left < outer.left - 1 || inner.right > outer.right + 1) wrong.push(`${words} leaves its picture`);
      if (texts.slice(0, at).some((other) => meet(box(other), inner))) wrong.push(`${words} stands on other words`);
    });
  }
  for (const part of document.querySelectorAll('.scroll, pre, h1, h2, .hint, .facts > *')) {
    const { left, right, width } = box(part);
    if (width && (left < 0 || right > innerWidth + 1)) wrong.push(`"${part.textContent.slice(0, 40)}" is off the screen`);
  }
  return wrong;
}"""


def near(text, exact, places=4):
    """Whether it is the figure rounded to that many places, and 0 and 1 are shown only of these."""
    text, exact = Fraction(text), Fraction(exact)
    return abs(text - exact) * 2 * 10**places <= 1 and (text == exact or text not in (0, 1))


class SweepShown:
    def __init__(self, loaded):
        self.page, self.case, self.expect = loaded.page, loaded.case, loaded.expect

    def data_is_that_of_the_front(self):
        seen, document = self.page.evaluate(SEEN), self.case.document
        self.expect(seen["title"] == shown(self.case.title), f"the title is {seen['title']}")
        self.expect(seen["spec"] == document["specification"], "another specification")
        tests, paired = len(document["cells"][0]["tests"]), 2
        # A picture for each test, with a line per number of tasks and scheduler; areas, breakdown; and weighted ones.
        self.expect(len(seen["pictures"]) == 2 * tests + 2, f"{len(seen['pictures'])} pictures")
        self.expect(all(lines >= paired for lines in seen["pictures"]), f"lines of the pictures: {seen['pictures']}")
        for row, cell in zip(seen["tables"]["cells"], document["cells"], strict=True):
            self.cell(row, cell)
        for row, weighted in zip(seen["tables"]["weighted"], document["weighted"], strict=True):
            values = [value for key, value in weighted["values"].items() if key != "utilization"]
            self.expect(row[: len(values)] == values, f"weighted, {values}: the row begins {row[:2]}")
            for text, test in zip(row[len(values) :], weighted["tests"], strict=True):
                self.expect(near(text, test["least"]), f"weighted, {values}: {text}, not {test['least']}")
        for row, pair in zip(seen["tables"]["pairs"], document["pairs"], strict=True):
            wanted = [pair["test"], pair["first"], pair["second"], *(str(pair[key]) for key in ("only_first", "only_second", "unknown"))]
            self.expect(row[:6] == wanted, f"compared: {row}, not {wanted}")

    def cell(self, row, cell):
        values, tests = list(cell["values"].values()), cell["tests"]
        where = ", ".join(values)
        self.expect(row[: len(values) + 1] == [*values, str(cell["sets"])], f"{where}: the row begins {row[:4]}")
        figures = row[len(values) + 1 :]
        for text, test in zip(figures, tests):
            told = text.rstrip(")").replace(" (", "–").split("–")
            exact = [test[key] for key in ("ratio", "low", "high")]
            self.expect(all(map(near, told, exact)), f"{where}: {text}, not {exact}")
        self.expect(near(figures[len(tests)], cell["breakdown"]["least"]), f"{where}: breakdown {figures[len(tests)]}")
        areas = [area or "none" for area in cell["min_area"].values()]
        told = [text.replace(",", "") for text in figures[len(tests) + 1 :]]
        self.expect(told == areas, f"{where}: areas {told}, not {areas}")


def tour(loaded, random, times):
    SweepShown(loaded).data_is_that_of_the_front()
    loaded.page.locator("#theme").click()
    loaded.is_quiet()


def looks_right(loaded):
    wrong = loaded.page.evaluate(WRONG)
    if wrong:
        raise Fault(f"{loaded.case}: {wrong[:3]}")
