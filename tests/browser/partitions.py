"""Pages of task sets on several numbers of cores, held against what `isx partition --json` prints."""

from fractions import Fraction

from shows import Fault, shown

# What a reader sees: the table of the numbers of cores, and for each of them its cores in the table and as columns.
SEEN = """() => ({
  answer: document.getElementById('answer').textContent,
  rows: [...document.querySelectorAll('#rows tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent)),
  cards: [...document.querySelectorAll('[data-cores]')].map((card) => ({
    cores: Number(card.dataset.cores),
    reason: card.querySelector('.reason')?.textContent ?? null,
    chip: [...card.querySelectorAll('.chip-blocks bdi')].map((block) => block.textContent),
    table: [...card.querySelectorAll('[data-core]')].map((row) => ({
      utilization: row.cells[1].textContent,
      tasks: [...row.querySelectorAll('.change')].map((task) => task.textContent),
      blocks: [...row.querySelectorAll('.built bdi')].map((block) => block.textContent),
    })),
    columns: [...card.querySelectorAll('.stack')].map((stack) => {
      const { top, bottom } = stack.getBoundingClientRect();
      const boxes = [...stack.children].map((box) => box.getBoundingClientRect().height);
      return { high: stack.clientHeight, boxes, hard: stack.querySelectorAll('.hard').length };
    }),
  })),
})"""

WRONG = """() => {
  const wrong = [];
  const box = (element) => element.getBoundingClientRect();
  for (const part of document.querySelectorAll('#rows td, [data-core] td, .reason, .core span, .stack > div')) {
    const { left, right, width } = box(part);
    if (width && (left < 0 || right > innerWidth + 1)) wrong.push(`"${part.textContent.slice(0, 40)}" is off the screen`);
  }
  for (const task of document.querySelectorAll('.stack > div')) {
    if (box(task).right > box(task.parentElement).right + 1) wrong.push(`"${task.textContent.slice(0, 40)}" leaves its core`);
  }
  return wrong;
}"""


def near(text, exact):
    return abs(Fraction(text) - Fraction(int(exact["num"]), int(exact["den"]))) * 2 <= Fraction(1, 10**6)


class PartitionShown:
    def __init__(self, loaded):
        self.page, self.case, self.expect = loaded.page, loaded.case, loaded.expect

    def data_is_that_of_the_front(self):
        seen, rows = self.page.evaluate(SEEN), self.case.front
        self.expect([int(row[0]) for row in seen["rows"]] == [row["cores"] for row in rows], "other numbers of cores")
        areas = [row["area"] for row in rows if row["area"] is not None]
        least = min(areas, key=Fraction, default=None)
        self.expect(least is None or f" {least} " in f"{seen['answer']} ".replace(" on ", " "), f"the answer is {seen['answer']}")
        for row, record, card in zip(rows, seen["rows"], seen["cards"], strict=True):
            where = f"{row['cores']} cores"
            self.expect(record[1] == row["status"], f"{where}: {record[1]}, not {row['status']}")
            self.expect(record[2] == (row["area"] or "–"), f"{where}: area {record[2]}, not {row['area']}")
            reason = row["reason"]
            self.expect((card["reason"] is None) == (reason is None), f"{where}: the reason is {card['reason']}")
            if reason:
                self.expect(card["reason"].lower().startswith(reason.lower()), f"{where}: the reason is {card['reason']}")
            if row["area"] is None:
                self.expect(not card["table"] and not card["columns"], f"{where}: a design is shown")
            else:
                self.design(where, row, card)

    def design(self, where, row, card):
        self.expect(card["chip"] == [shown(block) for block in row["chip_blocks"]], f"{where}: blocks of the chip {card['chip']}")
        for core, (record, column) in enumerate(zip(card["table"], card["columns"], strict=True)):
            tasks = [task for task, on in row["assignment"].items() if on == core]
            wanted = [f"{shown(task)} → {shown(row['choices'][task]) or 'software'}" for task in tasks]
            self.expect(record["tasks"] == wanted, f"{where}, core {core}: {record['tasks']}, not {wanted}")
            self.expect(record["blocks"] == [shown(block) for block in row["blocks"][core]], f"{where}: blocks {record['blocks']}")
            self.expect(near(record["utilization"], row["utilizations"][core]), f"{where}: utilization {record['utilization']}")
            hard = sum(row["choices"][task] is not None for task in tasks)
            self.expect((len(column["boxes"]), column["hard"]) == (len(tasks), hard), f"{where}: {column['boxes']}")
            high = sum(column["boxes"]) / column["high"]
            load = row["utilizations"][core]["approx"]
            self.expect(abs(high - load) < 0.01, f"{where}: core {core} is {high} high, its utilization {load}")


def tour(loaded, random, times):
    PartitionShown(loaded).data_is_that_of_the_front()
    loaded.page.locator("#theme").click()
    loaded.is_quiet()


def looks_right(loaded):
    wrong = loaded.page.evaluate(WRONG)
    if wrong:
        raise Fault(f"{loaded.case}: {wrong[:3]}")
