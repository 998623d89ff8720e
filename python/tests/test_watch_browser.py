"""`tayra watch` and `tayra report` in a real browser, which `install_dependencies.sh --browser` gets."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from conftest import made_up_run, write_picture

from tayra.run_report import main as report
from tayra.watch_server import WatchServer, in_background

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed (--browser gets it)")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="no chromium and chromedriver on PATH (--browser gets them)"
)
HEADER = "step,time,mass,energy,potential_energy,bubble_height,spike_height,mixing_width"
NASTY = "<img src=x onerror=document.title='taken'><b>bold</b>"
PLACES = ("flow", "facts", "runs", "warnings", "column", "series", "field", "plane")
PROMISED = 2.0  # seconds from a row in a log to its number on the page

Browser = Any


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    # Tests may run as root, in a container with little shared memory.
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield started
    started.quit()


@pytest.fixture
def served(browser: Browser) -> Iterator[Callable[..., WatchServer]]:
    servers = []

    def serve(*directories: Path) -> WatchServer:
        server = WatchServer(directories)
        in_background(lambda: server.serve_forever(0.02))
        servers.append(server)
        browser.get(server.url)
        return server

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()
    browser.get("about:blank")


def text(browser: Browser, selector: str = "body") -> str:
    found: str = browser.execute_script(
        "return document.querySelector(arguments[0])?.innerText ?? ''", selector
    )
    return found


def words(browser: Browser, selector: str) -> str:
    """All of it, in the choices of a list as well."""
    found: str = browser.execute_script("return document.querySelector(arguments[0]).textContent", selector)
    return found


def wait_for(condition: Callable[[], object], seconds: float = 10) -> float:
    """How long it took."""
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() - begun < seconds
        time.sleep(0.02)
    return time.monotonic() - begun


def colours(browser: Browser) -> int:
    """How many the slice has."""
    number: int = browser.execute_script(
        """const canvas = document.querySelector("#plane canvas");
        if (!canvas) return 0;
        const image = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(image.data.buffer)).size;"""
    )
    return number


def canvas_sum(browser: Browser) -> int:
    """Another one of another picture."""
    number: int = browser.execute_script(
        """const canvas = document.querySelector("#plane canvas");
        if (!canvas) return 0;
        const image = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return new Uint32Array(image.data.buffer).reduce((sum, p) => (31 * sum + p) % 1000003, 7);"""
    )
    return number


def complaints(browser: Browser) -> list[str]:
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


def test_a_run_is_shown(browser: Browser, served: Callable[..., WatchServer], run_directory: Path) -> None:
    browser.get_log("browser")
    served(run_directory)
    wait_for(lambda: text(browser, "h1") == "results" and colours(browser) > 5)
    assert "finished" in text(browser, "#state") and "100 %" in text(browser, "#reached")
    assert "mixing width 0.3" in text(browser, "#charts").replace("\n", " ")
    assert "t = 1, step 20" in text(browser, "#plane")
    assert browser.execute_script("return document.querySelectorAll('#charts path.line').length") >= 6
    assert complaints(browser) == []


def test_another_field_moment_and_plane_can_be_chosen(
    browser: Browser, served: Callable[..., WatchServer], run_directory: Path
) -> None:
    served(run_directory)
    choose = """const input = document.getElementById(arguments[0]);
        input.value = arguments[1];
        input.dispatchEvent(new Event(arguments[2]));"""
    wait_for(lambda: colours(browser) > 5)
    browser.execute_script(choose, "field", "4", "change")
    wait_for(lambda: "velocity_z" in words(browser, "#plane"))
    browser.execute_script(choose, "axis", "0", "change")
    wait_for(lambda: "x = " in text(browser, "#plane"))
    browser.execute_script(choose, "number", "0", "input")
    wait_for(lambda: "t = 0, step 0" in text(browser, "#plane"))
    assert "the newest is 2" in text(browser, "#moment")


def test_a_row_is_on_the_page_within_two_seconds(
    browser: Browser, served: Callable[..., WatchServer], tmp_path: Path
) -> None:
    directory = made_up_run(tmp_path / "run", [2] * 50)
    log = directory / "diagnostics.csv"
    log.write_text(HEADER + "\n0,0,1,2,3,0,0,0.125\n")
    served(directory)
    wait_for(lambda: "0.125" in text(browser, "#charts"))
    took = []
    for row in range(1, 5):
        with log.open("a") as file:
            file.write(f"{row},{0.1 * row},1,2,3,0,0,{row}.375\n")
        took.append(wait_for(lambda row=row: f"{row}.375" in text(browser, "#charts")))
    print(f"from a row to the page: {sorted(took)} s")
    assert sorted(took)[2] < PROMISED  # what runs beside it may hold up one


@contextmanager
def real_run(directory: Path, settings: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Of a bubble in two dimensions, until it ends or is no longer needed."""
    binary = os.environ.get("TAYRA_BINARY")
    if not binary:
        pytest.skip("TAYRA_BINARY is not set")
    config = Path(__file__).parents[2] / "configs/bubble_2d.yaml"
    process = subprocess.Popen(
        [binary, "run", str(config), "--quiet", "--output", str(directory)]
        + [word for setting in settings for word in ("--set", setting)],
        env=os.environ | {"OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": "1"},
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def test_a_real_run_is_followed_to_its_end(
    browser: Browser, served: Callable[..., WatchServer], tmp_path: Path
) -> None:
    settings = ["grid.cells=[16, 1, 48]", "run.time=100", "output.snapshots.every_time=0.2"]
    with real_run(tmp_path / "run", settings) as process:
        wait_for(lambda: (tmp_path / "run/run.json").exists())
        served(tmp_path / "run")
        seen = set()

        def new_steps() -> int:
            seen.add(text(browser, "#reached").rpartition("step ")[2])
            return len(seen - {""})

        wait_for(lambda: new_steps() >= 3)
        wait_for(lambda: colours(browser) > 5)
        assert "computing" in text(browser, "#state")
        assert "left" in text(browser, ".left") and "cell-steps/s" in text(browser, "#tiles")
        (tmp_path / "run/STOP").touch()
        process.wait(20)
        wait_for(lambda: "stopped" in text(browser, "#state"))


def test_the_picture_of_a_real_run_moves_without_snapshots(
    browser: Browser, served: Callable[..., WatchServer], tmp_path: Path
) -> None:
    settings = [
        "grid.cells=[32, 1, 96]",
        "run.time=100",
        "output.snapshots={every_time: 1e9}",
        "output.pictures.every_seconds=0.5",
    ]
    with real_run(tmp_path / "run", settings) as process:
        wait_for(lambda: (tmp_path / "run/live/slice_y.vtkhdf").exists())
        served(tmp_path / "run")
        seen, took = set(), []

        def is_new() -> bool:
            found = text(browser, "#plane .read"), canvas_sum(browser)
            is_first = "step" in found[0] and not seen & set(found)
            seen.update(found if is_first else ())
            return is_first

        for _ in range(4):
            took.append(wait_for(is_new))
        print(f"from one picture to the next: {sorted(took)} s")
        assert sorted(took)[2] < 0.5 + PROMISED  # what runs beside it may hold up one
        assert words(browser, "#series option:checked") == "slice across y, live"
        assert not browser.find_element("id", "axis").is_displayed()
        assert complaints(browser) == []
        (tmp_path / "run/STOP").touch()
        process.wait(20)
        wait_for(lambda: words(browser, "#series option:checked") == "whole box")
        wait_for(lambda: browser.find_element("id", "axis").is_displayed())


def test_hostile_names_are_text(browser: Browser, served: Callable[..., WatchServer], tmp_path: Path) -> None:
    """Of directories, problems, machines, fields, columns, parts, keys of the config, and messages."""
    inner = NASTY.replace("/", "\u2215")
    directories = [
        made_up_run(
            tmp_path / f"{number} {inner}",
            [2] * 20,
            problem=NASTY,
            message=NASTY,
            missing_rows=[NASTY],
            status=status,
            machine={"host": NASTY, "devices": [NASTY], NASTY: NASTY},
            numerics={"scheme": NASTY, "precision": NASTY},
        )
        for number, status in enumerate((NASTY, "finished"))
    ]
    for directory in directories:
        (directory / "config.yaml").write_text(f"{NASTY}:\n  {NASTY}: {NASTY}\nrun:\n  time: 4\n")
        (directory / "diagnostics.csv").write_text(f"{HEADER},{NASTY.replace(',', '')}\n0,0,1,2,3,0,0,0,0\n")
        for folder in ("snapshots", f"parts/{inner}"):
            (directory / folder).mkdir(parents=True)
            with h5py.File(directory / folder / "000000.vtkhdf", "w") as file:
                file.attrs.update(time=0.0, step=0, lower=np.zeros(3), spacing=np.ones(3))
                name = NASTY.replace("/", "\u2215")
                file[name] = np.arange(512, dtype=np.float32).reshape(8, 8, 8)
                file[name].attrs["units"] = NASTY
                file.create_group("VTKHDF/CellData")
    served(*directories)
    wait_for(lambda: colours(browser) > 5)
    browser.execute_script("for (const one of document.querySelectorAll('details')) one.open = true")
    for number in (1, 0):
        browser.execute_script("document.querySelectorAll('#runs button')[arguments[0]].click()", number)
        wait_for(lambda number=number: text(browser, "h1").startswith(str(number)))
        wait_for(lambda: colours(browser) > 5)
        for place in ("h1", *(f"#{name}" for name in PLACES)):
            assert "<img src=x onerror=" in words(browser, place), place
        assert not browser.execute_script(
            "return document.querySelectorAll('img, main b:not(.legend b)').length"
        )
        assert browser.title != "taken"
    assert complaints(browser) == []


def test_the_browser_runs_no_script_but_the_page_s_own(
    browser: Browser, served: Callable[..., WatchServer], run_directory: Path
) -> None:
    served(run_directory)
    browser.execute_script(
        """const script = document.createElement("script");
        script.textContent = "document.title = 'taken'";
        document.body.append(script);
        const image = new Image();
        image.src = "https://example.org/x.png";
        document.body.append(image);"""
    )
    wait_for(lambda: sum("Content Security Policy" in line for line in complaints(browser)) or False)
    assert browser.title != "taken"


def test_a_page_under_another_name_gets_nothing(
    browser: Browser, served: Callable[..., WatchServer], run_directory: Path
) -> None:
    """As after DNS rebinding: names under .localhost lead to this machine in a browser."""
    server = served(run_directory)
    browser.get(server.url.replace("127.0.0.1", "evil.localhost"))
    assert "answers to 127.0.0.1, localhost, [::1] alone" in text(browser)


def test_several_runs_are_compared(
    browser: Browser, served: Callable[..., WatchServer], tmp_path: Path
) -> None:
    directories = [made_up_run(tmp_path / name, [2] * 20) for name in ("coarse", "fine")]
    for index, directory in enumerate(directories):
        rows = [f"{i},{0.1 * i},1,2,3,0,0,{i * (1 + index)}" for i in range(10)]
        (directory / "diagnostics.csv").write_text("\n".join([HEADER, *rows]) + "\n")
    served(*directories)
    wait_for(lambda: "coarse 9 fine 18" in " ".join(text(browser, "#compared").split()))
    browser.execute_script("document.querySelectorAll('#runs button')[1].click()")
    wait_for(lambda: text(browser, "h1") == "fine")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1280, 2560])
def test_the_page_fits_any_screen_by_day_and_by_night(
    browser: Browser, served: Callable[..., WatchServer], run_directory: Path, theme: str, width: int
) -> None:
    try:
        browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]}
        )
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        served(run_directory)
        wait_for(lambda: colours(browser) > 5)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        paper, ink = browser.execute_script(
            """const style = getComputedStyle(document.documentElement);
            return [style.backgroundColor, style.color].map(c => c.match(/\\d+/g).slice(0, 3).map(Number));"""
        )
        assert (sum(paper) > sum(ink)) == (theme == "light")
        assert abs(sum(paper) - sum(ink)) > 500  # of 765
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_the_page_says_when_nobody_tells_it_more(
    browser: Browser, served: Callable[..., WatchServer], tmp_path: Path
) -> None:
    directory = made_up_run(tmp_path / "run", [2] * 20)
    server = served(directory)
    wait_for(lambda: "computing" in text(browser, "#state"))
    server.shutdown()
    server.server_close()
    wait_for(lambda: "tayra watch has ended" in text(browser, "#lost"))


def test_a_damaged_run_says_what_is_missing(
    browser: Browser, served: Callable[..., WatchServer], run_directory: Path
) -> None:
    (run_directory / "run.json").write_text("{")
    (run_directory / "snapshots/000002.vtkhdf").write_bytes(b"noise")
    served(run_directory)
    wait_for(lambda: "run.json cannot be read" in text(browser, "#warnings"))
    wait_for(lambda: "cannot be read" in text(browser, "#no-plane"))
    assert "mixing width" in text(browser, "#charts")


def test_a_report_of_a_run_that_died_shows_its_last_picture(
    browser: Browser, run_directory: Path, tmp_path: Path
) -> None:
    write_picture(run_directory, "slice_x.vtkhdf", 123)
    page = tmp_path / "page.html"
    assert report([str(run_directory), "--output", str(page)]) == 0
    browser.get(page.as_uri())
    wait_for(lambda: "step 123" in text(browser, "#plane") and colours(browser) > 5)
    assert words(browser, "#series option:checked") == "slice across x, live"


def test_a_report_needs_no_server(browser: Browser, run_directory: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(run_directory, other)
    page = tmp_path / "page.html"
    assert report([str(run_directory), str(other), "--output", str(page)]) == 0
    complaints(browser)
    browser.get(page.as_uri())
    wait_for(lambda: text(browser, "h1") == "results" and colours(browser) > 5)
    assert "mixing width 0.3" in text(browser, "#charts")
    assert browser.execute_script("return document.querySelectorAll('#strip canvas').length") == 3
    assert "What differs" in text(browser, "#tables") and "density" in text(browser, "#tables")
    browser.execute_script("document.querySelectorAll('#runs button')[1].click()")
    wait_for(lambda: text(browser, "h1") == "other")
    assert "wrote this report" in text(browser, "footer")
    assert complaints(browser) == []
