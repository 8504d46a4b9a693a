"""What a page shows, held against its front."""

import json
from bisect import bisect_right
from fractions import Fraction
from pathlib import Path

import fronts

# The designs of the page as its own reader gives them, the names of their choices among them. As one text, which reaches
# this side a hundred times as fast as ten thousand objects.
DESIGNS = """async () => {
  const report = await Report.read(document.getElementById('data').textContent);
  const record = (design) => ({
    index: design.index ?? null,
    area: exactly(design.area),
    num: String(design.utilization.n),
    den: String(design.utilization.d),
    schedulable: design.schedulable,
    schedulable_within: design.schedulable_within,
    variant: design.variant,
    choices: design.choices,
    blocks: [...design.blocks].sort(),
    clock: design.clock,
    modes: Object.fromEntries(design.modes.map(({ n, d }, mode) => [report.modes[mode], [String(n), String(d)]])),
    critical: design.critical ?? null,
    margin: design.margin ? `${design.margin.n}/${design.margin.d}` : null,
  });
  return JSON.stringify({
    count: report.count,
    details: [...report.details],
    tasks: report.sheet.tasks.map((task) => task.name),
    designs: report.front.map(record),
    base: record(report.base),
    smallest: report.smallest && record(report.smallest),
  });
}"""

# What a reader sees: the panel, and the choice of every task in the table.
SEEN = """() => ({
  ...document.getElementById('design').dataset,
  choices: [...document.querySelectorAll('#tasks tbody tr')].map((row) =>
    row.dataset.choice === '-1' ? null : row.querySelector('.choice').textContent),
  tasks: [...document.querySelectorAll('#tasks tbody th')].map((cell) => cell.textContent),
  figures: [...document.querySelectorAll('.figures strong')].map((figure) => figure.textContent),
  title: document.getElementById('design-title').textContent,
  modes: [...document.querySelectorAll('.modes dt')].map((mode) => mode.textContent + (mode.nextElementSibling.querySelector('span')?.textContent ?? '')),
})"""

LONGEST_NAME = 120


class Fault(Exception):
    """The page does not do what it should."""


def shown(name):
    """A name as the page writes it."""
    text = name and fronts.visible(name)
    return text and (text if len(text) <= LONGEST_NAME else text[:LONGEST_NAME] + "…")


class Shown:
    def __init__(self, loaded):
        self.page, self.case, self.expect = loaded.page, loaded.case, loaded.expect
        self.record = json.loads(self.page.evaluate(DESIGNS))
        self.kept = [design["index"] for design in self.record["designs"]]

    def data_is_that_of_the_front(self):
        """Every figure and choice of every design in the page."""
        case, record = self.case, self.record
        self.expect(record["count"] == len(case.front), f"{record['count']} designs, not {len(case.front)}")
        self.expect(record["tasks"] == [task for task, _ in case.front[0].choices], "the tasks are others")
        self.expect(self.kept[0] == 0 and self.kept[-1] == len(case.front) - 1, "an end of the front is missing")
        self.expect(self.kept == sorted(set(self.kept)), "the designs are not in order")
        for design in record["designs"]:
            index = design.pop("index")
            self.same(design, case.front[index], f"point {index}")
        for name in ["base", "smallest"]:
            design, point = record[name], getattr(case, name)
            self.expect((design is None) == (point is None), f"whether there is a {name}")
            if design:
                design.pop("index")
                if name == "base":
                    # The document has no clock and no blocks of it where they do not matter.
                    design["clock"], design["blocks"] = point.clock, point.blocks
                self.same(design, point, name)

    def same(self, design, point, place):
        wanted = point.figures()
        wrong = {key: (design[key], value) for key, value in wanted.items() if design[key] != value}
        self.expect(not wrong, f"{place}: {str(wrong)[:400]}")

    def sees(self, index, after):
        """The panel and the table show this point."""
        seen, point = self.page.evaluate(SEEN), self.case.front[index]
        self.expect(seen.get("index") == str(index), f"after {after} design {seen.get('index')} is shown, not {index}")
        self.sees_point(seen, point, after)

    def sees_point(self, seen, point, after):
        verdict = {True: "true", False: "false", None: "null"}[point.schedulable]
        exact = (seen["area"], seen["num"], seen["den"], seen["schedulable"])
        self.expect(exact == (point.area, point.num, point.den, verdict), f"after {after} the figures are {exact}")
        self.expect(seen["critical"] == (point.critical or ""), f"after {after} the critical mode is {seen['critical']}")
        modes = [shown(mode) + " critical" * (mode == point.critical) for mode in point.modes]
        self.expect(seen["modes"] == modes, f"after {after} the modes are {seen['modes']}, not {modes}")
        wanted = [shown(choice) for _, choice in point.choices]
        self.expect(seen["choices"] == wanted, f"after {after} the choices are {seen['choices']}, not {wanted}")
        self.expect(seen["tasks"] == [shown(task) for task, _ in point.choices], f"after {after} other tasks are shown")
        utilization = Fraction(int(point.num), int(point.den))
        figures = [utilization] + ([Fraction(point.margin)] if point.margin else [])
        for exact, record in zip(figures, reversed(seen["figures"][1:]), strict=True):
            self.expect(abs(exact - Fraction(record)) * 2 <= Fraction(1, 10**6), f"after {after} {exact} is shown as {record}")
        self.expect(seen["margin"] == (point.margin or ""), f"after {after} the margin is {seen['margin']}")

    def settle(self):
        """Until a frame has been drawn."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def speaks_of_its_measure(self):
        """A page by margin names that where others name the utilization."""
        page = self.page
        title, fact = page.inner_text("#front-title"), page.locator(".facts dt").nth(1).text_content()
        axis, answer = page.locator("#plot .axis").all_text_contents()[1], page.inner_text("#budget-answer")
        wanted = ("Area against utilization", "Least utilization", "Utilization", "of least utilization, ")
        if self.case.is_by_margin:
            wanted = ("Area against margin", "Largest margin", "1/margin", "of largest margin, ")
        self.expect((title, fact, axis) == wanted[:3] and wanted[3] in answer, f"speaks of {title}, {fact}, {axis}: {answer}")
        last = self.case.front[-1]
        exact = Fraction(last.margin) if self.case.is_by_margin else Fraction(int(last.num), int(last.den))
        record = page.locator(".facts strong").nth(1).inner_text()
        self.expect(abs(exact - Fraction(record)) * 2 <= Fraction(1, 10**6), f"{fact} is {record}, not {exact}")
        page.locator("#plot").focus()
        page.keyboard.press("Home")
        self.settle()
        gains = page.locator(".next p").first.inner_text()
        if len(self.kept) > 1 and self.case.is_by_margin:
            gain = Fraction(self.case.front[self.kept[1]].margin) - Fraction(self.case.front[0].margin)
            about = Fraction(page.locator(".next strong").nth(1).inner_text().removeprefix("+"))
            self.expect(abs(gain - about) * 2 <= Fraction(1, 10**6) and " margin" in gains, f"the next design gains {gains}")

    def keys_walk_the_front(self, random, steps):
        page, kept = self.page, self.kept
        page.locator("#plot").focus()
        page.keyboard.press("End")
        self.sees(kept[-1], "End")
        page.keyboard.press("ArrowRight")
        self.sees(kept[-1], "a step beyond the end")
        page.keyboard.press("Home")
        self.sees(kept[0], "Home")
        at = 0
        for _ in range(2 * steps):
            key, by = random.choice([("ArrowRight", 1), ("ArrowUp", 1), ("ArrowLeft", -1), ("ArrowDown", -1)])
            page.keyboard.press(key)
            at = max(0, min(len(kept) - 1, at + by))
            self.sees(kept[at], key)
        far = max(2, int(len(kept) / 20 + 0.5))
        page.keyboard.press("PageUp")
        self.sees(kept[min(len(kept) - 1, at + far)], "PageUp")
        now = page.locator("#plot").get_attribute("aria-valuenow")
        self.expect(int(now) - 1 == kept[min(len(kept) - 1, at + far)], f"aria-valuenow is {now}")

    def hovering_shows_the_design_below(self, random, steps):
        """The design whose step is under the pointer; where each has a mark, that of the mark."""
        page, kept = self.page, self.kept
        page.locator("#plot").scroll_into_view_if_needed()
        page.keyboard.press("Home")
        marks = page.evaluate(
            "() => [...document.querySelectorAll('#plot .marks circle')].map((mark) => {"
            " const box = mark.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })"
        )
        self.expect(len(marks) in (0, len(kept)), f"{len(marks)} marks")
        box = page.locator("#plot svg").bounding_box()
        alone = [
            at
            for at, (x, _) in enumerate(marks)
            if all(abs(x - other) > 10 for other, _ in marks[max(0, at - 1) : at] + marks[at + 1 : at + 2])
        ]
        for at in random.sample(alone, min(steps, len(alone))):
            page.mouse.move(*marks[at])
            self.settle()
            self.sees(kept[at], "hovering")
            self.expect(page.locator(".tip").is_visible(), "no tip is there")
        for _ in range(steps):
            x = box["x"] + random.uniform(70, box["width"] - 20)
            page.mouse.move(x, box["y"] + 60)
            self.settle()
            index = int(page.locator("#design").get_attribute("data-index"))
            self.sees(index, "hovering")
            dot = page.locator(".marker .dot").bounding_box()
            self.expect(dot["x"] + dot["width"] / 2 <= x + 6, "a design to the right of the pointer is shown")
        page.mouse.click(x, box["y"] + 60)
        page.mouse.move(5, 5)
        self.settle()
        self.sees(index, "a click")

    def bought(self, budget):
        """The last design of the page within a budget."""
        at = bisect_right([self.case.areas[index] for index in self.kept], budget) - 1
        return self.kept[at] if at >= 0 else None

    def budgets_buy_what_they_should(self, random, steps):
        page = self.page
        slider, field = page.locator("#budgets input[type=range]"), page.locator("#budgets input[type=text]")
        most = int(slider.get_attribute("max"))
        for position in [0, most] + [random.randint(0, most) for _ in range(steps)]:
            slider.fill(str(position))
            self.settle()
            budget = Fraction(field.input_value())
            index = self.bought(budget)
            if index is not None:
                self.sees(index, f"the slider at {position}, {budget}")
        most = self.case.areas[-1]
        exact = [random.choice(self.case.areas) for _ in range(steps)]
        for budget in exact + [most * random.random() for _ in range(steps)]:
            text = str(Fraction(budget).limit_denominator(1)) if Fraction(budget).denominator == 1 else f"{float(budget):.9f}"
            field.fill(text)
            self.settle()
            index = self.bought(Fraction(text))
            if index is not None:
                self.sees(index, f"a budget of {text}")
        field.fill("a lot")
        self.expect(field.get_attribute("aria-invalid") == "true", "a word is taken for an area")

    def jumps_lead_to_their_designs(self):
        page = self.page
        page.locator("#plot").focus()
        page.keyboard.press("End")
        for name, point in [("smallest", self.case.smallest), ("base", self.case.base)]:
            jump = page.locator(f'#design [data-jump="{name}"]')
            self.expect((jump.count() == 0) == (point is None), f"whether one can jump to {name}")
            if point and jump.is_enabled():
                jump.click()
                self.sees_point(page.evaluate(SEEN), point, f"the jump to {name}")

    def zoom_and_scale_keep_the_design(self, random):
        page, kept = self.page, self.kept
        page.locator("#plot").focus()
        page.keyboard.press("Home")
        for _ in range(random.randint(0, 3)):
            page.keyboard.press("PageUp")
        index = int(page.locator("#design").get_attribute("data-index"))
        page.locator("#logarithmic").click()
        page.locator("#zoom-in").click()
        page.locator("#zoom-in").click()
        self.sees(index, "zooming")
        self.expect(page.locator("#zoom-reset").is_enabled(), "there is no way back")
        page.locator("#plot").focus()
        page.keyboard.press("End")
        self.sees(kept[-1], "End, zoomed")
        self.expect(page.locator(".marker .dot").count() == 1, "the chosen design is out of sight")
        box = page.locator("#plot svg").bounding_box()
        page.mouse.move(box["x"] + 120, box["y"] + 80)
        page.mouse.down()
        page.mouse.move(box["x"] + 260, box["y"] + 120, steps=4)
        page.mouse.up()
        page.mouse.move(5, 5)
        self.settle()
        self.sees(kept[-1], "a drag")
        page.locator("#zoom-reset").click()
        page.locator("#linear").click()
        page.locator("#theme").click()
        self.sees(kept[-1], "the other theme")

    def the_address_names_the_design(self, random):
        """A design that was chosen is in the address, and the address leads to it."""
        page, kept = self.page, self.kept
        page.locator("#plot").focus()
        page.keyboard.press("Home")
        address = page.evaluate("location.hash")
        self.expect(address == f"#design={kept[0]}", f"the address ends with {address}")
        index = random.choice(kept)
        page.evaluate(f"() => {{ location.hash = 'design={index}'; }}")
        self.settle()
        self.sees(index, f"the address of design {index}")
        page.evaluate("() => { location.hash = 'design=none'; }")
        self.settle()
        self.sees(index, "an address of no design")

    def blocks_are_switched_off_and_on(self):
        """Without a block exactly the designs that do not build it remain."""
        page, front = self.page, self.case.front
        for at in range(min(2, page.locator("#blocks button.row").count())):
            switch = page.locator("#blocks button.row").nth(at)
            name = switch.get_attribute("aria-label").removeprefix("Switch off ")
            switch.click()
            wanted = [index for index in self.kept if name not in map(shown, front[index].blocks)]
            rest = page.locator("#plot .steps.rest").count()
            self.expect(rest == (1 if wanted else 0), f"{rest} lines of what remains without {name}")
            text = page.locator("#without").inner_text()
            counted = f"Without {name}: {len(wanted):,} of {len(self.kept):,} "
            self.expect(text.startswith(counted), f"{text} does not begin with {counted}")
            page.locator("#blocks button.row").nth(at).click()
            self.expect(page.locator("#without").is_hidden(), "a block stays off")
            self.expect(page.locator("#plot .off").count() == 0, "a design stays faded")

    def designs_are_saved_as_csv(self):
        """The designs of a page that holds the whole front are saved to the bytes of front.csv."""
        with self.page.expect_download() as download:
            self.page.locator("#save-csv").click()
        saved = Path(download.value.path()).read_bytes()
        written = self.case.page.with_suffix(".csv")
        lines = saved.decode().split("\n")
        self.expect(lines[-1] == "" and lines[0].startswith("area,utilization_num,"), f"CSV begins with {lines[0][:80]}")
        if self.case.taskset and written.exists() and len(self.kept) == len(self.case.front):
            self.expect(saved == written.read_bytes(), "the CSV is not that of front.csv")

    def names_are_text(self):
        """The tags of the page are those of its skeleton and its script, whatever the names are."""
        known = "BODY NOSCRIPT DIV SPAN P H1 H2 H3 DL DT DD UL LI MAIN HEADER SECTION BUTTON INPUT LABEL TABLE THEAD TBODY TR TH TD BDI STRONG WBR CODE CANVAS DETAILS SUMMARY SCRIPT SELECT OPTION"
        found = self.page.evaluate("() => [...new Set([...document.body.querySelectorAll(':not(svg, svg *)')].map((e) => e.tagName))]")
        odd = set(found) - set(known.split())
        self.expect(not odd, f"there are elements {odd}")
        self.expect(self.page.evaluate("document.querySelectorAll('script').length") == 2, "there is another script")
        handlers = "[...document.querySelectorAll('*')].some((e) => [...e.attributes].some((a) => a.name.startsWith('on')))"
        self.expect(not self.page.evaluate(handlers), "an element has a handler in its markup")

    def details_are_those_of_show(self, random, most):
        """Response times and margins, where there are any, are those of `isx show`."""
        details = dict(map(tuple, self.record["details"]))
        if not details or not self.case.taskset:
            return
        if self.case.is_by_margin:
            # `show` numbers the points of a task set by utilization; the file says the margin of each.
            for index, record in details.items():
                margin = f"{record['margin']['num']}/{record['margin']['den']}"
                self.expect(margin == self.case.front[index].margin, f"the margin of {index} is {margin} in the details")
            return
        for index in random.sample(sorted(details), min(most, len(details))):
            record = json.loads(fronts.isx("show", self.case.taskset, "--point", index, "--json"))
            wrong = {key: (one, record.get(key)) for key, one in details[index].items() if record.get(key) != one}
            self.expect(not wrong and "margin" in details[index], f"the details of {index}: {str(wrong)[:300]}")
