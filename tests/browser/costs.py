"""Pages of fronts of several resources, held against front.json: budgets, the picture, the table, the address."""

import json
from fractions import Fraction

from cost_cases import CostCase
from shows import Fault

__all__ = ["CostCase", "CostShown", "looks_right", "tour"]

# The designs as the page's own reader gives them.
DESIGNS = """async () => {
  const report = await Report.read(document.getElementById('data').textContent);
  const plain = (number) => exactly(number).replace('−', '-');
  return JSON.stringify({
    count: report.count,
    designs: report.designs.map((design) => ({
      index: design.index,
      cost: design.cost.map(plain),
      num: String(design.utilization.n),
      den: String(design.utilization.d),
      schedulable: design.schedulable,
      schedulable_within: design.schedulable_within,
      variant: design.variant,
      choices: design.choices,
      blocks: [...design.blocks].sort(),
    })),
    minimal: report.minimal.map(({ cost }) => cost.map(plain)),
    base: report.base.cost.map(plain),
  });
}"""

SEEN = """() => ({
  ...document.getElementById('design').dataset,
  corners: document.getElementById('plot').dataset.corners,
  within: Number(document.getElementById('designs').dataset.within),
  columns: [...document.querySelectorAll('#designs thead th')].map((head) => [head.textContent, head.getAttribute('aria-sort')]),
  rows: [...document.querySelectorAll('#designs tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent)),
  bars: [...document.querySelectorAll('.amounts dt')].map((name) => name.textContent),
})"""

WRONG = """() => {
  const wrong = [];
  if (document.documentElement.scrollWidth > innerWidth) wrong.push(`${document.documentElement.scrollWidth} pixels wide`);
  const box = (element) => element.getBoundingClientRect();
  for (const part of document.querySelectorAll('#designs td, #minimal td, #tasks td, #budgets input, #budgets label, .amounts dd, select, #plot text')) {
    const { left, right, width } = box(part);
    if (width && (left < 0 || right > innerWidth + 1)) wrong.push(`"${(part.textContent || part.value).slice(0, 40)}" is off the screen`);
  }
  for (const field of document.querySelectorAll('#budgets input[type=text]')) {
    if (field.scrollWidth > field.clientWidth + 1) wrong.push(`the budget ${field.value} is cut`);
  }
  const labels = [...document.querySelectorAll('#plot .labels text')].map(box);
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom;
  if (labels.some((one, at) => labels.slice(0, at).some((other) => meet(one, other)))) wrong.push('labels of the picture meet');
  return wrong;
}"""


def tour(loaded, random, times):
    shown = CostShown(loaded)
    shown.data_is_that_of_the_front()
    shown.is_right("at the beginning")
    shown.budgets_buy_the_best_design(random, times)
    shown.a_typed_budget_counts_and_a_word_is_refused()
    shown.keys_move_a_slider()
    shown.the_table_sorts_by_every_column()
    shown.a_row_is_kept_in_the_address(random)
    shown.the_picture_sets_the_first_budget()
    loaded.is_quiet()


class CostShown:
    def __init__(self, loaded):
        self.page, self.case, self.expect, self.loaded = loaded.page, loaded.case, loaded.expect, loaded
        self.record = json.loads(self.page.evaluate(DESIGNS))
        self.designs = [self.case.front[record["index"]] if record["index"] >= 0 else self.case.minimal[-1 - record["index"]] for record in self.record["designs"]]
        self.indices = [record["index"] for record in self.record["designs"]]

    def data_is_that_of_the_front(self):
        case, record = self.case, self.record
        self.expect(record["count"] == len(case.front), f"{record['count']} designs, not {len(case.front)}")
        for design, point in zip(record["designs"], self.designs):
            wanted = point.figures()
            wrong = {key: (design[key], value) for key, value in wanted.items() if design[key] != value}
            self.expect(not wrong, f"design {design['index']}: {str(wrong)[:300]}")
        self.expect(record["minimal"] == [point.cost for point in case.minimal], "the minimal costs are others")
        self.expect(record["base"] == case.base.cost, "the software costs something else")

    def seen(self):
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return self.page.evaluate(SEEN)

    def within(self, budgets):
        """The places of the designs in the page that cost no more of any objective."""
        fits = lambda point: all(point.exact[at] <= budget for at, budget in zip(self.case.objectives, budgets))
        return [at for at, point in enumerate(self.designs) if fits(point)]

    def budgets(self):
        texts = self.page.evaluate("[...document.querySelectorAll('#budgets input[type=text]')].map((field) => field.value)")
        return [Fraction(text.replace("−", "-")) for text in texts]

    def is_right(self, after):
        """What is shown belongs to the budgets: the best design, the line, the number of designs in the table."""
        seen, budgets, case = self.seen(), self.budgets(), self.case
        within = self.within(budgets)
        self.expect(seen["within"] == len(within), f"after {after} the table has {seen['within']} designs, not {len(within)}")
        if within:
            best = min(within, key=lambda at: (self.designs[at].utilization, at))
            point = self.designs[best]
            exact = (seen["cost"].split(), seen["num"], seen["den"])
            self.expect(exact == (point.cost, point.num, point.den), f"after {after} with {list(map(str, budgets))} it shows {exact}, not {point.cost}")
            self.expect(seen["schedulable"] == {True: "true", False: "false", None: "null"}[point.schedulable], f"after {after} the verdict is {seen['schedulable']}")
        self.expect(seen["bars"] == case.resources or max(map(len, case.resources)) > 24, f"the bars are of {seen['bars']}")
        first, others = case.objectives[0], list(zip(case.objectives, budgets))[1:]
        allowed = [at for at, point in enumerate(self.designs) if all(point.exact[of] <= budget for of, budget in others)]
        allowed.sort(key=lambda at: (self.designs[at].exact[first], self.designs[at].utilization, at))
        corners, least = [], None
        for at in allowed:
            if least is None or self.designs[at].utilization < least:
                corners.append(str(self.indices[at]))
                least = self.designs[at].utilization
        self.expect(seen["corners"].split() == corners, f"after {after} the line has the corners {seen['corners'][:80]}, not {corners[:12]}")

    def set_slider(self, at, share):
        self.page.evaluate(
            """([at, share]) => {
              const slider = document.querySelectorAll('#budgets input[type=range]')[at];
              slider.value = String(Math.round(share * Number(slider.max)));
              slider.dispatchEvent(new Event('input', { bubbles: true }));
            }""",
            [at, share],
        )

    def budgets_buy_the_best_design(self, random, times):
        for _ in range(max(4, times)):
            for at in range(len(self.case.objectives)):
                self.set_slider(at, random.choice([0, 1, random.random(), random.random()]))
            self.is_right("moving all sliders")

    def a_typed_budget_counts_and_a_word_is_refused(self):
        field = self.page.locator("#budgets input[type=text]").first
        middle = self.designs[len(self.designs) // 2].cost[self.case.objectives[0]]
        field.fill(middle)
        field.press("Tab")
        self.is_right("typing a budget")
        field.fill("many")
        self.expect(field.get_attribute("aria-invalid") is not None, "takes a word for a budget")
        self.expect("A budget is a number" in self.page.inner_text("#budget-answer"), "does not say what a budget is")
        field.fill(middle)
        field.press("Tab")
        self.expect(field.get_attribute("aria-invalid") is None, "keeps the mark of a wrong budget")

    def keys_move_a_slider(self):
        slider = self.page.locator("#budgets input[type=range]").last
        slider.focus()
        for key in ["Home", "ArrowRight", "ArrowRight", "PageUp", "End", "ArrowLeft"]:
            self.page.keyboard.press(key)
            self.is_right(f"the key {key}")
        self.expect(slider.evaluate("(slider) => slider === document.activeElement"), "the slider loses the focus")

    def the_table_sorts_by_every_column(self):
        self.page.locator("[data-jump=most]").click()
        columns = len(self.seen()["columns"])
        # What is built stands beside the costs.
        least = len(self.case.resources) + 3
        self.expect(columns > least, f"the table has {columns} columns")
        for by in range(1, least - 1):
            for turned in [False, True]:
                self.page.locator("#sort").select_option(str(by))
                if turned:
                    self.page.locator("#sort-turn").click()
                seen = self.seen()
                sorted_by = [at for at, (_, order) in enumerate(seen["columns"]) if order]
                self.expect(sorted_by == [by], f"is sorted by {sorted_by}, not {by}")
                numbers = [Fraction(row[by].replace("≈\u00a0", "").replace("−", "-")) for row in seen["rows"]]
                self.expect(numbers == sorted(numbers, reverse=turned), f"column {by} is not in order: {list(map(str, numbers[:6]))}")
                every = [point.exact[by - 1] if by <= len(self.case.resources) else None for point in self.designs]
                if every[0] is not None:
                    end = max(every) if turned else min(every)
                    self.expect(abs(numbers[0] - end) < Fraction(1, 1000), f"column {by} begins with {numbers[0]}, not {end}")

    def a_row_is_kept_in_the_address(self, random):
        rows = self.page.locator("#designs tbody button")
        rows.nth(random.randrange(rows.count())).click()
        seen = self.seen()
        self.is_right("choosing a row")
        address = self.page.url
        self.expect("#design=" in address or "#minimal=" in address, f"the address is {address}")
        self.page.locator("[data-jump=most]").click()
        self.seen()
        if self.page.url == address:
            # The chosen row is the design of the largest budgets: its address leads nowhere else.
            return
        self.page.evaluate("(hash) => { location.hash = hash; }", address[address.index("#") :])
        again = self.seen()
        self.expect((again["cost"], again["index"]) == (seen["cost"], seen["index"]), "the address leads to another design")
        chosen = self.page.locator("#design").evaluate("(panel) => panel.dataset.cost").split()
        budgets = [Fraction(chosen[at]) for at in self.case.objectives]
        self.expect(self.budgets() == budgets, "the sliders are not at the design's costs")

    def the_picture_sets_the_first_budget(self):
        box = self.page.locator("#plot svg").bounding_box()
        self.page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.4)
        self.is_right("a click in the picture")


def looks_right(loaded):
    page = loaded.page
    for act in ["[data-jump=base]", "[data-jump=most]"]:
        page.locator(act).click()
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        wrong = page.evaluate(WRONG)
        if wrong:
            raise Fault(f"{loaded.case}: after {act} {wrong[:3]}")
