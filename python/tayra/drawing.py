"""What `tayra plot` draws: slices and curves of a run, or all figures of bench files."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from matplotlib import rc_context

from tayra.bench_charts import draw_bench_charts
from tayra.bench_file import BenchFile, read_bench_file
from tayra.bench_tables import bench_tables
from tayra.errors import TayraError
from tayra.figures import STYLE, page_of, pixels_of, save
from tayra.film import frame_rate, require_writable, write_film
from tayra.flow_figures import draw_curves, draw_over_time, film_look, view_of
from tayra.joined_bench import join, joined_stem
from tayra.part_figure import draw_part, draw_part_over_time
from tayra.plot import PROGRAM, chosen, holding, refuse
from tayra.report import as_markdown, write_text
from tayra.run_directory import Run
from tayra.scaling_figures import draw_scaling
from tayra.several_runs import are_1d, draw_curves_of, draw_lines_of, draw_sweep
from tayra.snapshot import Snapshot
from tayra.statistics_figures import draw_budget, draw_pdfs, draw_profiles, draw_spectra

OF_RUNS = {
    "curves": draw_curves,
    "profiles": draw_profiles,
    "budget": draw_budget,
    "spectra": draw_spectra,
    "pdf": draw_pdfs,
}
OF_SLICES = ("field", "slice", "snapshot", "part", "smooth", "no_check", "movie")


def slice_name(axis: str, position: float | None) -> str:
    """What a picture's name says of its slice; nothing of the usual one."""
    if position is None and axis == "y":
        return ""
    return f"_{axis}={'middle' if position is None else position}"


def draw_run(arguments: argparse.Namespace) -> list[Path]:
    """Draws what was asked for; the files it has written."""
    refuse(arguments, ["sweep"], "a sweep is of several runs: name them")
    run = Run(arguments.paths[0], check=not arguments.no_check)
    if arguments.part and (run.directory / "parts" / f"{arguments.part}.h5").is_file():
        return [draw_one_file(run, arguments)]
    if arguments.part and arguments.curves:
        return [draw_over_snapshots(run, arguments)]
    of_run = [name for name in OF_RUNS if getattr(arguments, name)]
    if len(of_run) > 1 and arguments.output:
        raise TayraError(f"--{' and --'.join(of_run)} are several pictures: leave out --output")
    if of_run:
        refuse(arguments, OF_SLICES, f"{of_run[0]} are of the whole run")
        return [draw_of_run(run, name, arguments.output) for name in of_run]
    if arguments.movie:
        refuse(arguments, ["snapshot", "output"], "a film is of all snapshots")
    series = run.parts[arguments.part] if arguments.part else run.snapshots
    pictures = (series.folder if arguments.part else run.directory) / "pictures"
    snapshots = chosen(series, "all" if arguments.movie else arguments.snapshot, arguments.output)
    return draw_slices(holding(PROGRAM, arguments.field, snapshots), arguments, pictures)


def draw_one_file(run: Run, arguments: argparse.Namespace) -> Path:
    others = [name for name in (*OF_SLICES, *OF_RUNS) if name not in ("field", "part", "curves")]
    refuse(arguments, others, f"{arguments.part} is one file")
    name = f"part_{arguments.part}_{arguments.field}"
    draw = draw_part
    if arguments.curves:
        name, draw = f"{name}_over_time", draw_part_over_time
    path = arguments.output or run.directory / "pictures" / f"{name}.png"
    save(draw(run.series(arguments.part), arguments.field), path)
    return Path(path)


def draw_over_snapshots(run: Run, arguments: argparse.Namespace) -> Path:
    others = [name for name in (*OF_SLICES, *OF_RUNS) if name not in ("field", "part", "curves", "no_check")]
    refuse(arguments, others, "curves of a part are of all its snapshots")
    series = run.parts[arguments.part]
    path = arguments.output or series.folder / "pictures" / f"{arguments.field}_over_time.png"
    snapshots = holding(PROGRAM, arguments.field, series)
    save(draw_over_time(snapshots, arguments.field, arguments.part), path)
    return Path(path)


def draw_several_runs(arguments: argparse.Namespace) -> list[Path]:
    """One figure, beside the folders of the runs."""
    runs = [Run(path, check=not arguments.no_check) for path in arguments.paths]
    whole = [name for name in (*OF_SLICES, *OF_RUNS) if name not in ("field", "curves", "no_check")]
    refuse(arguments, whole, "of several runs there are curves, a sweep, or lines of 1-D flows")
    if arguments.sweep is not None:
        name, figure = "sweep", draw_sweep(runs, arguments.sweep)
    elif not arguments.curves and are_1d(runs):
        name, figure = f"{arguments.field}_lines", draw_lines_of(runs, arguments.field)
    else:
        refuse(arguments, ["field"], "curves are of the whole run")
        name, figure = "curves", draw_curves_of(runs)
    path = arguments.output or Path(f"{name}_{'_'.join(run.name for run in runs)[:60]}.png")
    save(figure, path)
    return [path]


def draw_of_run(run: Run, name: str, output: Path | None) -> Path:
    path = output or run.directory / "pictures" / f"{name}.png"
    save(OF_RUNS[name](run), path)
    return path


def draw_slices(snapshots: Sequence[Snapshot], arguments: argparse.Namespace, pictures: Path) -> list[Path]:
    """Of several, frames of a film: alike in colours and size."""
    axis, position = arguments.slice or (None, None)
    view = view_of(snapshots[0].grid.cells, arguments.field, axis, position, arguments.smooth)
    if view.line:
        refuse(arguments, ["smooth"], "a 1-D flow is drawn as a line")
    if arguments.movie:
        require_writable(arguments.movie)
    look = page = None
    if len(snapshots) > 1 or arguments.movie:
        look = film_look((view.plane(snapshot), snapshot) for snapshot in snapshots)
        by_time = {look.time_text(snapshot.time): snapshot for snapshot in snapshots}
        longest = by_time[max(by_time, key=len)]  # only titles differ in size: what holds this one holds all
        page = page_of(view.draw(longest, look))
    if arguments.movie:
        frames = (pixels_of(view.draw(snapshot, look), page) for snapshot in snapshots)
        write_film(arguments.movie, frames, frame_rate(len(snapshots)))
        return [arguments.movie]
    written = []
    for snapshot in snapshots:
        of_slice = "" if view.line else slice_name(view.axis, view.position)
        path = arguments.output or pictures / f"{view.field}{of_slice}_{snapshot.number:06}.png"
        save(view.draw(snapshot, look), path, page)
        written.append(path)
    return written


def how_to_draw(path: Path) -> str:
    """What to write instead of a snapshot's file, as far as its place tells."""
    number = int(path.stem) if path.stem.isdecimal() else "N"
    folder = path.absolute().parent
    if folder.parent.name == "parts":
        run = folder.parent.parent
        return f"write {PROGRAM} {run} --part {folder.name} --snapshot {number}"
    if folder.name == "snapshots":
        return f"write {PROGRAM} {folder.parent} --snapshot {number}"
    return "name the run's directory, and --snapshot N"


def require_bench_file(path: Path) -> None:
    if path.is_dir():
        raise TayraError(f"{path} is a directory among bench files: draw runs and bench files apart")
    if path.suffix in (".vtkhdf", ".h5"):
        raise TayraError(f"{path} is a file of a run: {how_to_draw(path)}")


def draw_bench_files(arguments: argparse.Namespace) -> list[Path]:
    """The figures and the tables, beside the first file."""
    paths: list[Path] = arguments.paths
    for path in paths:
        require_bench_file(path)
    refuse(arguments, ["output"], "a bench file gives several pictures beside it")
    refuse(arguments, [*OF_SLICES, *OF_RUNS], "a bench file has no flow to draw")
    file = join([read_bench_file(path) for path in paths])
    stem = joined_stem(paths)
    tables = stem.with_name(f"{stem.name}_tables.md")
    return [*save_bench_figures(file, stem), write_text(tables, as_markdown(bench_tables(file)) + "\n")]


@rc_context(STYLE)
def save_bench_figures(file: BenchFile, stem: Path) -> list[Path]:
    """As STEM_NAME.png."""
    draw_all = draw_scaling if file.benchmark == "scaling" else draw_bench_charts
    written = []
    for name, figure in draw_all(file):
        picture = stem.with_name(f"{stem.name}_{name}.png")
        save(figure, picture)
        written.append(picture)
    return written
