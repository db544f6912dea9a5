#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pictures of the book's pages and of a report of the bench, made by Chromium without a screen, for people to look at.

	scripts/screens.py [--out FOLDER] [--report FOLDER] [PAGE...]

It builds the book into FOLDER (build/screens) and writes a picture of each PAGE, as tutorial or adr/index; without PAGE of
all but the decisions in adr/. Of --report, the folder of a report.html, it writes one too. First it measures the pages in
two widths and ends with 1 when one is wider than its window, cuts text off, has code or a table that the wider window does not
show whole, or lacks a picture; it also measures a page of its own with these faults, to see that it finds them. It ends with
77 where there is no Chromium."""
import argparse
import functools
import html
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTHS = (1300, 700)
MOST_PIXELS = 16000  # of a picture's height; Chromium draws no more
LIMIT_S = 600

# Loads each page into a frame, measures it, and leaves what it found in the document.
MEASURE = """<!doctype html><meta charset="utf-8"><pre id="found"></pre><script>
const pages = PAGES, widths = WIDTHS, found = [];
function name(part) { return part.tagName.toLowerCase() + " " + part.textContent.trim().slice(0, 40); }
function look(page, width, inside) {
	const whole = inside.documentElement, wrong = [];
	if (whole.scrollWidth > whole.clientWidth + 1) {
		const wide = [...inside.body.querySelectorAll("*")].filter(
			part => part.getBoundingClientRect().right > whole.clientWidth + 1);
		wrong.push("is wider than its window: " + (wide.length ? name(wide[wide.length - 1]) : ""));
	}
	for (const part of inside.body.querySelectorAll("*")) {
		const hides = inside.defaultView.getComputedStyle(part).overflowX;
		if (hides == "visible" || part.scrollWidth <= part.clientWidth + 1 || part.clientWidth <= 1)
			continue;
		if (hides == "hidden" || hides == "clip")
			wrong.push("cuts off: " + name(part));
		else if (width == widths[0])
			wrong.push("does not show whole: " + name(part));
	}
	for (const image of inside.images)
		if (image.complete && image.naturalWidth == 0)
			wrong.push("has no picture " + image.getAttribute("src"));
	found.push({page, width, height: whole.scrollHeight, wrong});
}
function next(i) {
	document.getElementById("found").textContent = JSON.stringify(found);
	if (i == pages.length * widths.length)
		return;
	const frame = document.createElement("iframe"), page = pages[i % pages.length];
	frame.width = widths[Math.floor(i / pages.length)];
	frame.height = 800;
	frame.onload = () => { look(page, +frame.width, frame.contentDocument); frame.remove(); next(i + 1); };
	frame.src = page;
	document.body.append(frame);
}
next(0);
</script>"""


# What is wrong with it: all four, in the wider window.
FAULTY = """<!doctype html><meta charset="utf-8"><div style="width: 2000px">wide</div>
<div style="width: 99px; overflow: hidden; white-space: nowrap">a text that is longer than its box</div>
<pre style="width: 99px; overflow: auto">a line of code that is longer than its box</pre><img src="nowhere.png">"""
FAULTS = ("is wider than its window: div wide", "cuts off: div a text", "does not show whole: pre a line",
          "has no picture nowhere.png")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *args):  # pylint: disable=redefined-builtin
        pass


def browse(browser, *words):
    """One start of the browser, with a profile of its own. Return: what it printed."""
    with tempfile.TemporaryDirectory() as profile:
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                   "--disable-dev-shm-usage", f"--user-data-dir={profile}", *words]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True,
                              timeout=LIMIT_S).stdout


def measure(browser, folder, site, pages):
    """Return: a list of what the script above found."""
    script = MEASURE.replace("PAGES", json.dumps(pages)).replace("WIDTHS", json.dumps(WIDTHS))
    for name, text in (("measure.html", script), ("faulty.html", FAULTY)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    printed = browse(browser, "--virtual-time-budget=600000", "--dump-dom", f"{site}/measure.html")
    for name in ("measure.html", "faulty.html"):
        os.remove(os.path.join(folder, name))
    found = json.loads(html.unescape(re.search(r'<pre id="found">(.*?)</pre>', printed, re.S).group(1)))
    if len(found) != len(pages) * len(WIDTHS):
        sys.exit(f"screens.py: {browser} measured {len(found)} of {len(pages) * len(WIDTHS)} pages")
    return found


def build_book(folder):
    subprocess.run(["sphinx-build", "-q", "-b", "html", "-d", os.path.join(folder, "doctrees"),
                    os.path.join(ROOT, "Documentation"), os.path.join(folder, "site")], check=True)


def pages_of(site, chosen):
    if chosen:
        missing = [page for page in chosen if not os.path.exists(os.path.join(site, page + ".html"))]
        if missing:
            sys.exit(f"screens.py: the book has no page {missing[0]}")
        return [page + ".html" for page in chosen]
    return sorted(name for name in os.listdir(site) if name.endswith(".html"))


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "screens"))
    parser.add_argument("--report", help="the folder of a report.html of the bench")
    parser.add_argument("pages", nargs="*", metavar="PAGE")
    return parser.parse_args()


def main():
    options = parse()
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not browser:
        print(f"skipped: there is none of {', '.join(BROWSERS)}")
        sys.exit(77)
    out = os.path.abspath(options.out)
    site = os.path.join(out, "site")
    os.makedirs(site, exist_ok=True)
    build_book(out)
    pages = pages_of(site, options.pages)
    if options.report:
        shutil.rmtree(os.path.join(site, "bench"), ignore_errors=True)
        shutil.copytree(options.report, os.path.join(site, "bench"))
        pages.append("bench/report.html")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    faulty, *found = measure(browser, site, address, ["faulty.html", *pages])
    if not all(any(wrong.startswith(fault) for wrong in faulty["wrong"]) for fault in FAULTS):
        sys.exit(f"screens.py: it does not find what is wrong with a faulty page: {faulty['wrong']}")
    found = [one for one in found if one["page"] != "faulty.html"]
    problems = [f"{one['page']}, {one['width']} pixels: {wrong}" for one in found for wrong in one["wrong"]]
    for one in found:
        if one["width"] != WIDTHS[0]:
            continue
        picture = os.path.join(out, one["page"].replace("/", "-").replace(".html", ".png"))
        height = min(one["height"] + 20, MOST_PIXELS)
        browse(browser, f"--window-size={WIDTHS[0]},{height}", f"--screenshot={picture}", f"{address}/{one['page']}")
        print(picture)
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


main()
