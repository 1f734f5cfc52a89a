"""What the web client weighs and how fast it is, in the browser that its tests use.

`python -m tests.servers --sqlite -- python -m tests.bench.bench_client`. The processor is slowed
down four times where it says so, as a phone's is. Times are those of the machine and of whatever
else it does; nothing here is asserted.
"""

import os
import statistics
from typing import Any, Final

import django
from playwright.sync_api import Browser, CDPSession, Page

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from games.models import DailyDeal  # noqa: E402 (needs the settings)
from tests.e2e.browser import MISSING, chromium, chromium_path  # noqa: E402
from tests.e2e.service import alone, open_today, shortest_win  # noqa: E402
from tests.e2e.table import Table  # noqa: E402
from tests.logs import Win, wins_of  # noqa: E402

AIM_BYTES: Final = 150_000
FRAME_MS: Final = 1000 / 60
MOVES: Final = 40
SLOWER: Final = 4
ROUNDS: Final = 9

# From the pointer's release, by the event's own clock: until the last handler has returned, and
# until the frame that shows the result has been given away (a message posted in its callback is
# handled after it was painted).
_WATCH = """
  globalThis.releases = [];
  addEventListener("pointerup", ({ timeStamp }) => {
    const begun = performance.now();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const last = globalThis.releases.at(-1);
      last.drawn = performance.now() - timeStamp;
    };
    globalThis.releases.push({ waited: begun - timeStamp });
    requestAnimationFrame(() => port2.postMessage(0));
  }, { capture: true });
  addEventListener("pointerup", ({ timeStamp }) => {
    globalThis.releases.at(-1).handled = performance.now() - timeStamp;
  });
"""

_REPLAY = """async ([code, movetext, rounds]) => {
  const { Replay } = await import("/static/web/rules/replay.js");
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    new Replay(code, movetext);
    times.push(performance.now() - begun);
  }
  return times;
}"""


def main() -> None:
    """Measure and print."""
    path = chromium_path()
    if path is None:
        print(f"The web client is not measured: {MISSING}")
        return
    with alone() as address, chromium(path) as browser:
        deals = open_today()
        print(f"The web client in Chromium {browser.version}")
        weigh(browser, address, deals["easy-harp"])
        for variant in ("easy-harp", "eight-off"):
            for slower in (1, SLOWER):
                release_to_frame(browser, address, shortest_win(variant), slower)
        replays(browser, address)


def weigh(browser: Browser, address: str, deal: DailyDeal) -> None:
    """Print the bytes of the play page on a first visit."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    sizes: dict[str, list[float]] = {}
    session.on(
        "Network.dataReceived",
        lambda event: sizes.setdefault(event["requestId"], [0, 0]).__setitem__(
            1, sizes.get(event["requestId"], [0, 0])[1] + event["dataLength"]
        ),
    )
    session.on(
        "Network.loadingFinished",
        lambda event: sizes.setdefault(event["requestId"], [0, 0]).__setitem__(
            0, event["encodedDataLength"]
        ),
    )
    page.goto(f"{address}/play/{deal.variant}/{deal.date}/", wait_until="networkidle")
    transferred, whole = (sum(size[at] for size in sizes.values()) for at in (0, 1))
    print(
        f"  first play page: {transferred:,.0f} bytes transferred with headers in {len(sizes)} "
        f"answers ({transferred / AIM_BYTES:.2f} of the aim, {AIM_BYTES:,}); {whole:,.0f} "
        "decompressed"
    )
    context.close()


def release_to_frame(browser: Browser, address: str, win: Win, slower: int) -> None:
    """Print how long it is from the release of a dragged card to the frame that shows it."""
    context, page, session = open_page(browser)
    page.add_init_script(_WATCH)
    page.goto(f"{address}/practice/?code={win.code}")
    table = Table(page)
    table.is_laid()
    slow_down(session, slower)
    released = 0
    for token in win.tokens:
        if released == MOVES:
            break
        if token[0] in "DR":
            # Draws are taps, and no drags.
            table.keys(token)
        else:
            table.play_by_mouse(token)
            released += 1
            page.wait_for_function("at => releases[at - 1]?.drawn !== undefined", arg=released)
    releases: list[dict[str, float]] = page.evaluate("releases")
    handled = [release["handled"] for release in releases]
    drawn = [release["drawn"] for release in releases]
    print(
        f"  {win.variant}, {len(releases)} drags, processor {slower} times slower: release to end "
        f"of script {spread(handled)}; to the frame with the result {spread(drawn)} "
        f"({statistics.median(drawn) / FRAME_MS:.2f} frames of {FRAME_MS:.1f} ms)"
    )
    context.close()


def replays(browser: Browser, address: str) -> None:
    """Print how long the rules take to replay a long log, as at a reload."""
    win = min(wins_of("easy-harp"), key=lambda win: abs(win.moves - 900))
    context, page, session = open_page(browser)
    page.goto(f"{address}/rules/")
    for slower in (1, SLOWER):
        slow_down(session, slower)
        times: list[float] = page.evaluate(_REPLAY, [win.code, win.movetext, ROUNDS])
        print(
            f"  replay of {win.moves} actions by the rules, processor {slower} times slower: "
            f"first {times[0]:.1f} ms, {spread(times)}"
        )
    context.close()


def open_page(browser: Browser) -> tuple[Any, Page, CDPSession]:
    """Return a fresh context, its page, and a session of the developer tools for it."""
    context = browser.new_context(service_workers="block", viewport={"width": 1280, "height": 800})
    page = context.new_page()
    return context, page, context.new_cdp_session(page)


def slow_down(session: CDPSession, times: int) -> None:
    """Slow the processor down for the page."""
    session.send("Emulation.setCPUThrottlingRate", {"rate": times})


def spread(times: list[float]) -> str:
    """Return median and worst."""
    return f"median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms"


if __name__ == "__main__":
    main()
