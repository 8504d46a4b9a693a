"""Faults planted in pages: whatever checks pages must find every one."""

import base64
import copy
import json
import re
import zlib
from random import Random

from playwright.sync_api import Error

from shows import Fault


def data_of(text):
    return re.search(r'(id="data">)(.*?)(</script>)', text, re.S)


def with_data(text, change):
    """The page with other data in it."""
    found = data_of(text)
    data = json.loads(found[2])
    change(data)
    record = json.dumps(data).replace("<", "\\u003c")
    return text[: found.start(2)] + record + text[found.end(2) :]


def with_points(change):
    """A page with other designs in it."""

    def repacked(data):
        points = json.loads(zlib.decompress(base64.b64decode(data["front"]["points"]), -15))
        change(points)
        deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = deflate.compress(json.dumps(points).encode()) + deflate.flush()
        data["front"]["points"] = base64.b64encode(packed).decode()

    return with_data_changed(repacked)


def with_data_changed(change):
    return lambda text: with_data(text, change)


def wrong_choice(points):
    choices = points[-1]["choices"]
    task = list(choices)[-1]
    choices[task] = None if choices[task] else "other"


def wrong_area(points):
    points[-1]["cost"] = {name: str(2 * float(amount)) for name, amount in points[-1]["cost"].items()}


def wrong_utilization(points):
    points[-1]["utilization"]["den"] += "1"


def wrong_margin(points):
    points[-1]["margin"]["den"] += "1"


def wrong_mode(points):
    utilizations = points[-1]["mode_utilization"]
    utilizations[list(utilizations)[0]]["den"] += "1"


def swapped_names(text):
    def change(data):
        names = [task["name"] for task in data["tasks"]]
        data["tasks"][0]["name"], data["tasks"][1]["name"] = names[1], names[0]

    return with_data(text, change)


def raw_names(text):
    """Data whose names may end the script element."""
    found = data_of(text)
    return text[: found.start(2)] + found[2].replace("\\u003c", "<").replace("\\u003e", ">") + text[found.end(2) :]


def without_policy(text):
    return re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)


def any_script(text):
    """The page with a policy that lets any script run."""
    return re.sub(r"script-src '[^']*'", "script-src 'unsafe-inline' 'unsafe-eval'", text)


def changed_script(change):
    def planted(text):
        """A script that was changed, without the policy that would stop it."""
        text = any_script(text)
        changed = change(text)
        assert changed != text, "nothing was planted"
        return changed

    return planted


PLANTS = {
    "a wrong choice": ("crypto-gateway", with_points(wrong_choice)),
    "wrong areas": ("crypto-gateway", with_points(wrong_area)),
    "wrong utilizations": ("crypto-gateway", with_points(wrong_utilization)),
    "two tasks for each other": ("crypto-gateway", swapped_names),
    "names that end the data": ("hostile", raw_names),
    "no policy": ("crypto-gateway", without_policy),
    "names as markup": (
        "hostile",
        changed_script(lambda text: text.replace("}, text);\n}\n\nfunction button", "}, document.createRange().createContextualFragment(name));\n}\n\nfunction button")),
    ),
    "a slider that is one off": (
        "crypto-gateway",
        changed_script(lambda text: text.replace("&& this.isWithin(design, budgets) &&", "&& this.isWithin(design, budgets) && design.index % 2 === 0 &&")),
    ),
    "a key that goes two steps": (
        "crypto-gateway",
        changed_script(lambda text: text.replace("app.walk(1)", "app.walk(2)")),
    ),
    "figures through a double": (
        "thesis-set-1",
        changed_script(lambda text: text.replace("num: design.utilization.n,", "num: Math.round(approximate(design.utilization) * 1e6),")),
    ),
    "a request": (
        "crypto-gateway",
        changed_script(lambda text: text.replace("\nstart().catch", "\nnew Image().src = 'file:///tmp/x.png';\nstart().catch")),
    ),
    "words on the curve": ("just-above", changed_script(lambda text: text.replace("!this.meetsCurve(box)", "true"))),
    "a field that cuts its figure": ("just-below", changed_script(lambda text: text.replace("ch + 20px)", "ch - 20px)"))),
    "failing designs drawn as schedulable ones": (
        "constrained-deadlines",
        changed_script(lambda text: text.replace("verdict === schedulable)[1]", "verdict === (schedulable || true))[1]")),
    ),
    "a table that leaves the screen": ("papabench-autopilot-rm", lambda text: without_policy(text).replace("@media screen and (max-width: 560px)", "@media screen and (max-width: 56px)")),
    "a wrong utilization in a mode": ("gateway-modes", with_points(wrong_mode)),
    "another critical mode": ("gateway-modes", changed_script(lambda text: text.replace("? record.critical_mode :", "? this.modes.at(-1) :"))),
    "a wrong margin": ("margins of papabench-autopilot-rm", with_points(wrong_margin)),
    "a utilization in the place of a margin": (
        "margins of papabench-autopilot-rm",
        changed_script(lambda text: text.replace("isByMargin && margin ? ['margin', rounded(margin, 6)]", "isByMargin && margin ? ['margin', rounded(utilization, 6)]")),
    ),
    "a task on another core": ("cores of cores", with_data_changed(lambda data: data["document"]["rows"][-1]["assignment"].update({data["tasks"][0]: 1 - min(1, data["document"]["rows"][-1]["assignment"][data["tasks"][0]])}))),
    "columns that are too low": ("cores of cores", changed_script(lambda text: text.replace("style: { height: `${high}px`", "style: { height: `${high / 2}px`"))),
    "a wrong cost": ("device", with_points(wrong_area)),
    "a design that is not the best": (
        "objectives",
        changed_script(lambda text: text.replace("isLess(a.utilization, b.utilization)", "isLess(b.utilization, a.utilization)")),
    ),
    "a budget that is left out": (
        "objectives",
        changed_script(lambda text: text.replace("budgets[at] === null ||", "at === 0 || budgets[at] === null ||")),
    ),
    "a line that stops falling": ("device", changed_script(lambda text: text.replace("if (isLower &&", "if (isLower && corners.length < 4 &&"))),
    "a table in no order": ("device", changed_script(lambda text: text.replace("(isDescending ? order(b, a) : order(a, b)) || a.number", "a.number"))),
    "budgets that leave the screen": ("device", lambda text: without_policy(text).replace("minmax(0, max-content) minmax(0, 1fr) auto", "200px 400px 200px").replace(".budgets { grid-template-columns: minmax(0, 1fr); }", "")),
    "a message": ("crypto-gateway", changed_script(lambda text: text.replace("\nstart().catch", "\nconsole.warn('x');\nstart().catch"))),
}


def spoiled(cases, name, change):
    """A page with a change in it."""
    case = copy.copy(next(case for case in cases if case.name == name))
    page = case.page.with_name("planted.html")
    page.write_text(change(case.page.read_text()))
    case.page = page
    return case


def find_all(browser, cases, behaves):
    """Plants each fault; 1 if one is not found, or one where there is none."""
    missed = []
    for name in dict.fromkeys(of for of, _ in PLANTS.values()):
        case = spoiled(cases, name, any_script)
        behaves(browser, case, Random(1), closed=False)
        print(f"nothing found in {name} without a fault", flush=True)
    for name, (of, plant) in PLANTS.items():
        case = spoiled(cases, of, plant)
        try:
            # A changed script needs a policy that lets it run: that this is noticed would prove nothing.
            behaves(browser, case, Random(1), closed=plant is without_policy)
            missed.append(name)
            print(f"MISSED {name}", flush=True)
        except (Fault, Error) as found:
            print(f"found {name}: {str(found).splitlines()[0][:150]}", flush=True)
    print(f"{len(PLANTS)} faults planted, {len(missed)} missed")
    return 1 if missed else 0
