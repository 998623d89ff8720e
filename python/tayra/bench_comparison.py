"""Bench files side by side: the cases that all of them measured."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tayra.bench_file import BenchFile, Row, case_of, case_text, read_bench_file, telling_columns
from tayra.comparison import Comparison, differences, differences_section, label
from tayra.errors import TayraError
from tayra.report import Section, digits, fact

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class BenchComparison(Comparison):
    def __init__(self, paths: Sequence[Path]) -> None:
        self.files = [read_bench_file(path) for path in paths]
        self.labels = [label(index) for index in range(len(paths))]
        self.differences = differences([_facts(file) for file in self.files])
        first = self.files[0]
        for file in self.files[1:]:
            if file.benchmark != first.benchmark:
                raise TayraError(
                    f"{first.path} is of `bench {first.benchmark}`, {file.path} of `bench {file.benchmark}`: "
                    "compare files of one benchmark"
                )
        self.columns = first.columns
        self.cases = self._shared_cases()

    def _shared_cases(self) -> list[list[Row]]:
        """For each case of the first file that all have, its row in each file."""
        tables = [{case_of(self.columns, row): row for row in file.rows} for file in self.files]
        shared = [case for case in tables[0] if all(case in table for table in tables)]
        if not shared:
            raise TayraError(
                f"{', '.join(str(file.path) for file in self.files)} share no case "
                f"({', '.join(self.columns.case)}): measure the same cases"
            )
        return [[table[case] for table in tables] for case in shared]

    def sections(self) -> list[Section]:
        return [self._files(), differences_section(self.labels, self.differences), self._times()]

    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                "label": name,
                "path": str(file.path),
                **{key: case_text(row[key]) for key in self.columns.case},
                **{key: row[key] for key in self.columns.measured},
                "speed_up": self._speed_up(case, row),
            }
            for case in self.cases
            for name, file, row in zip(self.labels, self.files, case, strict=True)
        ]

    def document(self) -> dict[str, Any]:
        differing = {
            key: dict(zip(self.labels, values, strict=True)) for key, values in self.differences.items()
        }
        return {"compared": self.files[0].benchmark, "differences": differing, "rows": self.rows()}

    def draw(self) -> "Figure":
        # Only here, so that tables need no matplotlib and come at once.
        from tayra.bench_figure import draw_cases

        return draw_cases(self.files, self.labels, self.cases)

    def _speed_up(self, case: Sequence[Row], row: Row) -> float:
        return float(case[0][self.columns.time] / row[self.columns.time])

    def _files(self) -> Section:
        rows = [
            [name, str(file.path), file.device_and_machine, str(len(file.rows))]
            for name, file in zip(self.labels, self.files, strict=True)
        ]
        note = f"cases in all of them: {len(self.cases)}"
        title = f"Files of `bench {self.files[0].benchmark}`"
        return Section(title, ["", "file", "machine", "cases"], rows, labels=3, note=note)

    def _times(self) -> Section:
        names = telling_columns(self.columns, [case[0] for case in self.cases])
        rows = []
        for case in self.cases:
            times = [digits(row[self.columns.time]) for row in case]
            speed_ups = [f"{self._speed_up(case, row):.3g}" for row in case[1:]]
            rows.append([*(case_text(case[0][key]) for key in names), *times, *speed_ups])
        columns = [*names, *self.labels, *(f"speed-up {name}" for name in self.labels[1:])]
        note = self._common_case(names)
        return Section(self.columns.time.replace("_", " "), columns, rows, labels=len(names), note=note)

    def _common_case(self, names: Sequence[str]) -> str:
        row = self.cases[0][0]
        same = [f"{key} {case_text(row[key])}" for key in self.columns.case if key not in names]
        return f"everywhere: {', '.join(same)}" if same else ""


def _facts(file: BenchFile) -> dict[str, str]:
    header = {
        "tayra": file.tayra,
        "commit": file.commit,
        "machine": file.machine,
        "devices": fact(file.devices),
    }
    return header | {key: fact(value) for key, value in file.conditions.items()}
