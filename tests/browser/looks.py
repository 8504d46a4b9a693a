"""What a page looks like at some width: nothing is cut, broken or covered."""

import json
import re

# What is wrong with the page as it stands, in words.
WRONG = """() => {
  const wrong = [];
  const box = (element) => element.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const inner = ({ left, right, top, bottom }) => ({ left: left + 1, right: right - 1, top: top + 3, bottom: bottom - 3 });
  const labels = [...document.querySelectorAll('.labels text')].map((label) => [label.textContent, inner(box(label))]);
  const path = document.querySelector('.steps');
  const [svg, length] = [path.ownerSVGElement, path.getTotalLength()];
  const onScreen = svg.getScreenCTM();
  for (const [text, place] of labels) {
    for (let at = 0; at <= length; at += 1) {
      const { x, y } = path.getPointAtLength(at).matrixTransform(onScreen);
      if (meet(place, { left: x, right: x, top: y, bottom: y })) {
        wrong.push(`the curve goes through "${text}"`);
        break;
      }
    }
    if ([...document.querySelectorAll('#plot .marks circle, .smallest path')].some((mark) => meet(place, box(mark)))) {
      wrong.push(`a mark stands on "${text}"`);
    }
    if (labels.some(([other, its]) => other !== text && meet(place, its))) wrong.push(`"${text}" stands on another label`);
    const plot = box(svg);
    if (place.left < plot.left || place.right > plot.right) wrong.push(`"${text}" is cut`);
  }
  const field = document.querySelector('#budgets input[type=text]');
  if (field.scrollWidth > field.clientWidth) wrong.push(`the budget ${field.value} is cut`);
  for (const figure of document.querySelectorAll('.facts strong, .figures strong, td.number')) {
    const range = document.createRange();
    range.selectNodeContents(figure);
    const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top)));
    if (lines.size > 1 && /\\d/.test(figure.textContent)) wrong.push(`the figure ${figure.textContent} is broken`);
  }
  for (const cell of document.querySelectorAll('#designs td, #tasks td')) {
    const { left, right } = box(cell);
    if (left < 0 || right > innerWidth + 1) wrong.push(`"${cell.textContent.slice(0, 40)}" is off the screen`);
  }
  return wrong;
}"""

TIP = """() => {
  const [tip, word] = [document.querySelector('.tip'), document.querySelector('.tip .word')];
  const [outer, inner, style] = [tip.getBoundingClientRect(), word.getBoundingClientRect(), getComputedStyle(word)];
  return {
    padding: parseFloat(style.paddingLeft),
    isInside: inner.left >= outer.left + 6 && inner.right <= outer.right - 6 && inner.bottom <= outer.bottom - 5,
    isWhole: word.scrollWidth <= word.clientWidth,
  };
}"""

KINDS = {True: "yes", False: "no", None: "open"}


def looks_right(loaded):
    """At the design it begins with, at the ends, and in both scales."""
    page, case = loaded.page, loaded.case
    page.locator("#plot").focus()
    for act in ["Home", "End"]:
        page.keyboard.press(act)
        page.evaluate("new Promise(requestAnimationFrame)")
        is_right(loaded, f"after {act}")
    page.locator("#logarithmic").click()
    is_right(loaded, "on a logarithmic axis")
    page.locator("#linear").click()
    box = page.locator("#plot svg").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + 60)
    page.locator(".tip").wait_for(state="visible")
    tip = page.evaluate(TIP)
    loaded.expect(tip["padding"] >= 8 and tip["isInside"] and tip["isWhole"], f"the verdict of the tip has no room: {tip}")
    page.mouse.move(5, 5)
    verdicts_are_drawn(loaded)
    thinned_is_true(loaded)
    text = page.inner_text("body")
    is_told = "proved, as the file says" in text and "a certificate shows" not in text
    loaded.expect(case.name != "undecided" or is_told, "repeats a proof that it has not seen")
    loaded.expect("comment above" not in text, "speaks of a comment that is not on the page")


def is_right(loaded, when):
    wrong = loaded.page.evaluate(WRONG)
    loaded.expect(not wrong, f"{when} {wrong[:3]}")


def verdicts_are_drawn(loaded):
    """Marks and words tell the three verdicts apart, and a design that fails where another passes."""
    page, case = loaded.page, loaded.case
    marks = page.evaluate("[...document.querySelectorAll('#plot .marks circle')].map((mark) => mark.getAttribute('class'))")
    wanted = [KINDS[point.schedulable] for point in case.front]
    loaded.expect(marks in ([], wanted), f"the marks are {marks[:40]}, not {wanted[:40]}")
    rows = page.evaluate(
        "[...document.querySelectorAll('#designs tbody tr')].map((row) => [row.querySelector('button').textContent, row.querySelector('.word').textContent])"
    )
    for index, word in rows:
        point = case.front[int(index.replace(",", ""))]
        star = "*" if point.schedulable_within else ""
        record = {True: "yes", False: f"no{star}", None: "?"}[point.schedulable]
        loaded.expect(word == record, f"the verdict of {index} is {word}, not {record}")


def thinned_is_true(loaded):
    text = loaded.page.locator("#thinned").inner_text()
    has_limit = any(point.schedulable for point in loaded.case.front)
    loaded.expect(has_limit or "schedulable" not in text, f"names a limit that is not there: {text}")
    loaded.expect(not re.search(r"\b\d*2th\b", text), text)


def undecided(source, file):
    """A front.json whose verdicts are left open for some designs."""
    document = json.loads(source.read_text())
    for index, point in enumerate(document["points"]):
        if index in (1, 3):
            point["schedulable"] = None
        if index < 4:
            point["schedulable_within"] = None
    document.update(status="proved", min_schedulable_area=None, min_schedulable=[], min_schedulable_designs=[], min_schedulable_unknown="a test left it open")
    file.write_text(json.dumps(document))
