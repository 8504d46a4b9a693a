"""Loads pages of fronts in Chromium and holds what they show against front.json; see `run`."""

import argparse
import os
import sys
import time
from pathlib import Path
from random import Random

from playwright.sync_api import sync_playwright

import costs
import fronts
import looks
import partitions
import plants
from partition_cases import PartitionCase
from shows import Fault, Shown

POINTS = int(os.environ.get("ISX_CASES") or 2)
ALL = "ISX_CASES" in os.environ

# Pages that are no front of one area.
OTHERS = {costs.CostCase: costs, PartitionCase: partitions}
# The pages that are toured, and whose pictures are made, unless all are wanted: one of each kind. Of the
# others it is held that they load, are quiet, and have the data of their front.
KINDS = ["crypto-gateway", "gateway-modes", "modes", "papabench-autopilot-rm", "hostile", "device", "objectives", "hostile-costs", "cores of cores", "cores of waters-2019", "margins of papabench-autopilot-rm"]
# Those that are looked at as a reader sees them, wide and narrow.
LOOKS = KINDS + ["neorv32-extensions", "thesis-set-1", "constrained-deadlines", "just-above", "just-below", "never", "undecided", "thinned"]
# Of these the ones that axe looks at, which takes as long as all else.
AXE = ["crypto-gateway", "cores of waters-2019", "gateway-modes", "papabench-autopilot-rm", "device", "margins of papabench-autopilot-rm"]


class Loaded:
    """A page in a context of its own, with everything that it says and asks for."""

    def __init__(self, browser, case, scheme="light", width=1280, bypass_csp=False):
        self.case = case
        self.said, self.asked = [], []
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=bypass_csp
        )
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append(f"dialog {dialog.message}"), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(case.page.as_uri())
        # Not by a function, which is evaluated again and again in ways that the page's policy forbids.
        self.page.locator("html[data-ready=yes]").wait_for(state="attached", timeout=15_000)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()

    def expect(self, holds, what):
        if not holds:
            raise Fault(f"{self.case}: {what}")

    def is_quiet(self):
        self.expect(self.page.locator("h1#title").is_visible() and self.page.locator("#answer").is_visible(), "has no title or no answer")
        self.expect(not self.said, f"the page says {self.said[:3]}")
        self.expect(self.asked == [self.case.page.as_uri()], f"the page asks for {self.asked[1:4]}")
        self.expect(self.page.evaluate("window.attacked === undefined"), "a name of the file ran")


def behaves(browser, case, random, closed=True):
    """The whole tour of a page."""
    with Loaded(browser, case) as loaded:
        if other := OTHERS.get(type(case)):
            other.tour(loaded, random, POINTS)
            if closed:
                is_closed(loaded)
            return
        shown = Shown(loaded)
        shown.data_is_that_of_the_front()
        shown.speaks_of_its_measure()
        shown.keys_walk_the_front(random, POINTS)
        shown.hovering_shows_the_design_below(random, POINTS)
        shown.budgets_buy_what_they_should(random, POINTS)
        shown.jumps_lead_to_their_designs()
        shown.zoom_and_scale_keep_the_design(random)
        shown.the_address_names_the_design(random)
        shown.blocks_are_switched_off_and_on()
        shown.designs_are_saved_as_csv()
        shown.names_are_text()
        shown.details_are_those_of_show(random, 2)
        loaded.is_quiet()
        if closed:
            is_closed(loaded)


def looks_right(browser, case, width):
    with Loaded(browser, case, width=width) as loaded:
        OTHERS.get(type(case), looks).looks_right(loaded)


def tour(browser, case, random, closed):
    """Everything that a planted fault may spoil; whether the policy holds only where it should."""
    behaves(browser, case, random, closed)
    if case.name in LOOKS:
        looks_right(browser, case, 1280)
        looks_right(browser, case, 400)


def loads(browser, case):
    with Loaded(browser, case) as loaded:
        shown = {costs.CostCase: costs.CostShown, PartitionCase: partitions.PartitionShown}
        shown.get(type(case), Shown)(loaded).data_is_that_of_the_front()
        loaded.is_quiet()


def shows_small_figures(browser, case):
    """Small figures are not shown as none."""
    with Loaded(browser, case) as loaded:
        text = loaded.page.inner_text("body")
        loaded.page.focus("#plot")
        loaded.page.keyboard.press("Home")
        loaded.page.evaluate("new Promise(requestAnimationFrame)")
        gains = loaded.page.locator(".next strong").all_inner_texts()
        loaded.expect(gains == ["+1", "−0.00000000033"], f"the next design gains {gains}")
        loaded.page.keyboard.press("End")
        loaded.page.evaluate("new Promise(requestAnimationFrame)")
        row = loaded.page.locator("#tasks tbody tr").first.locator("td").all_inner_texts()
        loaded.expect(text.count("Times in ms.") == 1 and row[:3] == ["b", "1", "0.999999997"], f"shows the times {row}")


def is_closed(loaded):
    """The policy stops what an attacker would do next. Last, since the console reports it."""
    refused = loaded.page.evaluate(
        """async () => {
          const stopped = [];
          await fetch('https://example.org/').catch(() => stopped.push('fetch'));
          await fetch(location.href).catch(() => stopped.push('file'));
          // What the debugger evaluates may use eval, what a timer calls may not.
          const evaluated = await new Promise((done) => setTimeout(() => {
            try { (0, eval)('1'); done(true); } catch { done(false); }
          }));
          if (!evaluated) stopped.push('eval');
          const script = document.createElement('script');
          script.textContent = 'window.injected = 1';
          document.body.append(script);
          const picture = new Image();
          const loaded = new Promise((done) => { picture.onload = () => done(1); picture.onerror = () => done(0); });
          picture.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
          if (!(await loaded)) stopped.push('image');
          if (window.injected === undefined) stopped.push('script');
          document.body.insertAdjacentHTML('beforeend', '<i id=inline onclick="window.injected = 1">x</i>');
          document.getElementById('inline').click();
          if (window.injected === undefined) stopped.push('handler');
          return stopped;
        }"""
    )
    loaded.expect(
        refused == ["fetch", "file", "eval", "image", "script", "handler"], f"the policy stops {refused} alone"
    )
    loaded.expect(all(url == loaded.asked[0] for url in loaded.asked), f"the page reaches {loaded.asked}")


def is_narrow_enough(browser, case, width):
    with Loaded(browser, case, width=width) as loaded:
        wide = loaded.page.evaluate("document.documentElement.scrollWidth")
        loaded.expect(wide <= width, f"is {wide} pixels wide where there are {width}")


def is_accessible(browser, case):
    from axe_playwright_python.sync_playwright import Axe

    for scheme in ["light", "dark"]:
        # axe itself is a script that the policy would not let in.
        with Loaded(browser, case, scheme=scheme, bypass_csp=True) as loaded:
            found = Axe().run(loaded.page).response["violations"]
            grave = [one for one in found if one["impact"] in ("serious", "critical")]
            record = [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in grave]
            loaded.expect(not grave, f"axe finds in {scheme}: {record}")


def pictures(browser, case, folder):
    """Pictures for people to look at: light, dark, narrow and on paper."""
    name = case.page.parent.name + "-" + case.page.stem
    for scheme, width in [("light", 1280), ("dark", 1280), ("light", 400)]:
        with Loaded(browser, case, scheme=scheme, width=width) as loaded:
            loaded.page.screenshot(path=folder / f"{name}-{scheme}-{width}.png", full_page=True)
            if width == 400:
                continue
            if scheme == "dark":
                loaded.page.pdf(path=folder / f"{name}.pdf", prefer_css_page_size=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--work", type=Path, required=True)
    options.add_argument("--pictures", type=Path)
    options.add_argument("--plant", action="store_true", help="spoil pages and see that it is found")
    options.add_argument("--times", action="store_true", help="say how long each page takes")
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    start, random = time.monotonic(), Random(options.seed)
    cases = fronts.cases(options.work)
    if options.times:
        print(f"{time.monotonic() - start:6.1f} s to make the pages")
    faults = []

    def check(what, *arguments):
        began = time.monotonic()
        try:
            what(*arguments)
        except Fault as fault:
            faults.append(str(fault))
            print(f"FAULT {fault}", flush=True)
        if options.times:
            print(f"{time.monotonic() - began:6.1f} s {what.__name__} {arguments[1]}", flush=True)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"])
        if options.plant:
            return plants.find_all(browser, cases, tour)
        for case in cases:
            if case.name == "minute":
                check(shows_small_figures, browser, case)
            if ALL or case.name in LOOKS:
                check(looks_right, browser, case, 1280)
                check(looks_right, browser, case, 400)
            if not ALL and case.name not in KINDS:
                check(loads, browser, case)
                continue
            check(behaves, browser, case, random)
            if ALL or case.name in AXE:
                check(is_accessible, browser, case)
            check(is_narrow_enough, browser, case, 320 if ALL else 400)
            if options.pictures:
                options.pictures.mkdir(parents=True, exist_ok=True)
                pictures(browser, case, options.pictures)
        browser.close()
    seconds = time.monotonic() - start
    points = sum(len(case.front) for case in cases)
    print(f"{len(cases)} pages of fronts of {points} points: {len(faults)} faults, {seconds:.0f} s")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
