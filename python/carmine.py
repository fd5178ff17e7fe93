# SPDX-License-Identifier: BSD-3-Clause
"""Carmine's result files in Python: roofs, points, curves and fleets as plain objects, and rooflines by matplotlib.

    import carmine, matplotlib.pyplot as plt

    result = carmine.read("my.json")
    carmine.roofline(plt.gca(), result)
    plt.savefig("roofline.svg")

It reads the files of `carmine run -o`, `app -o` and others alone (schema carmine.result/1), and needs no program and no
package: pandas only for frame(), matplotlib only for the axes that roofline() and curves() get. Quantities are in base
units (B/s, flop/s, s, Hz), which unit(Class, "name") tells. What is not known is None.
"""
from __future__ import annotations

import dataclasses
import glob
import json
import os
import statistics
from dataclasses import dataclass, field
from typing import Any, Iterable, List, Optional

__version__ = "0.3.0"
SCHEMA = "carmine.result/1"
COLORS, OUTERMOST = ("#003C72", "#158C58", "#CF8400", "#B476B0"), "#9A2400"  # of levels; of the memory
MARKERS = "osD^vP*X<>"
PREFIXES = [("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3), ("", 1), ("m", 1e-3), ("µ", 1e-6), ("n", 1e-9),
            ("p", 1e-12)]


def _in(unit: str, **more: Any) -> Any:
    """A field whose values have this unit."""
    return field(metadata={"unit": unit}, **more)


@dataclass(frozen=True)
class Roof:
    """A measured ceiling (kind "compute"), the bandwidth or the latency of a level."""

    name: str                       # unique in a result: "L2 avx2.load, one core"
    kernel: str                     # "avx2.f64.fma", "avx2.load", "chase"
    kind: str                       # "compute", "bandwidth", "latency"
    isa: str                        # "avx2"; "" of a pointer chase
    type: str                       # "f64"; "" of memory
    op: str                         # "fma", "load"
    level: Optional[str]            # "L1", "DRAM"; None: compute
    threads: int                    # 0: any number, of an imported roof
    place: str                      # "package 0", "P cores", "SMT": only there or so; "": anywhere
    small_pages: bool               # small pages were requested
    value: Optional[float]          # of all threads together, in `unit`; None: blank, see `doubts`
    low: Optional[float]            # ends of the 90 % interval
    high: Optional[float]
    unit: str                       # "flop/s", "op/s", "B/s", "s"
    per_cycle: Optional[float]      # of a core: flop, op or B per cycle; a latency's cycles
    documented_per_cycle: Optional[float]
    clock_hz: Optional[float] = _in("Hz")
    working_set_bytes: Optional[int] = _in("B")
    doubts: List[str]               # warnings; `carmine show` explains them


@dataclass(frozen=True)
class Point:
    """A program, or a region, function, loop or phase of it."""

    name: str
    program: str
    part: str                       # "program", "region", "function", "loop", …
    threads: int
    seconds: Optional[float] = _in("s")             # the median run
    flop: Optional[float] = _in("flop")             # of one run
    core_bytes: Optional[float] = _in("B")          # loaded and stored by the core
    dram_bytes: Optional[float] = _in("B")
    flop_per_s: Optional[float] = _in("flop/s")
    flop_per_byte: Optional[float] = _in("flop/B")  # by core_bytes
    flop_per_dram_byte: Optional[float] = _in("flop/B")
    time_share: Optional[float]                     # of the program's time
    clock_hz: Optional[float] = _in("Hz")
    series: Optional[str]                           # of a workload
    size: Optional[int]
    doubts: List[str]


@dataclass(frozen=True)
class Curve:
    """Bandwidth or latency against the working set of a thread."""

    kernel: str
    kind: str                       # "bandwidth", "latency"
    threads: int
    unit: str                       # of the values: "B/s", "s"
    working_set_bytes: List[int] = _in("B")
    values: List[float]


@dataclass(frozen=True)
class Deviation:
    """A roof of one node against the median of its machine type."""

    host: str
    machine: str                    # the type: "AMD EPYC, 2 cores"
    roof: str                       # Roof.name
    unit: str
    value: float
    median: float
    deviation: float                # value / median - 1; of a latency, more is worse
    nodes: int                      # that have this roof


@dataclass(frozen=True)
class Result:
    """A result file. `data` is the whole of it: docs/result-file.md describes each field."""

    path: str
    data: dict
    roofs: List[Roof]
    points: List[Point]
    curves: List[Curve]

    @property
    def host(self) -> str:
        return self.data["machine"]["host"]

    @property
    def machine(self) -> str:
        """The machine type: results of equal machines have the same."""
        machine = self.data["machine"]
        cores = machine["machine_core_count"]  # 0: of another tool's machine
        return (self.data["uarch"] or machine["cpu"]["brand"]) + (f", {_plural(cores, 'core')}" if cores else "")

    @property
    def levels(self) -> List[str]:
        """The levels with a bandwidth, from the nearest: ["L1", "L2", "L3", "DRAM"]."""
        named = [level["name"] for kind in self.data["levels"] for level in kind]
        measured = {roof.level for roof in self.roofs if roof.kind == "bandwidth"}
        return [level for level in dict.fromkeys(named + sorted(measured)) if level in measured]

    def threads(self, place: str = "") -> int:
        """The most threads of a roof of this place."""
        return max((roof.threads for roof in self.roofs if roof.place == place), default=1)

    def bandwidth(self, level: str, threads: Optional[int] = None, isa: Optional[str] = None,
                  place: str = "") -> Optional[Roof]:
        """The best access pattern of a level, without random lines and single elements; None: not measured."""
        return _best(roof for roof in self.roofs
                     if roof.kind == "bandwidth" and roof.level == level and roof.op not in ("random", "traffic")
                     and not roof.type and self._is_in(roof, threads, isa, place))

    def peak(self, type: str = "f64", threads: Optional[int] = None, isa: Optional[str] = None,
             place: str = "") -> Optional[Roof]:
        """The peak as vendors count it, by FMA or dot products; without these, the highest ceiling."""
        ceilings = [roof for roof in self.roofs
                    if roof.kind == "compute" and roof.type == type and self._is_in(roof, threads, isa, place)]
        return _best(roof for roof in ceilings if roof.op in ("fma", "dot")) or _best(ceilings)

    def _is_in(self, roof: Roof, threads: Optional[int], isa: Optional[str], place: str) -> bool:
        return (roof.value is not None and not roof.small_pages and roof.place == place
                and roof.threads in (0, threads or self.threads(place)) and isa in (None, roof.isa))


def _best(roofs: Iterable[Roof]) -> Optional[Roof]:
    return max(roofs, key=lambda roof: roof.value or 0, default=None)


def _place(sample: dict) -> str:
    """As `carmine` names it."""
    threads, kind = sample["threads"], sample.get("core_kind")
    parts = [f"{kind} core{'s' * (threads != 1)}" if kind else "", "SMT" if "cores" in sample else ""]
    parts += [f"{words} {sample[key]}" if key in sample else ""
              for key, words in (("package", "package"), ("node", "node"), ("memory_node", "memory on node"))]
    return ", ".join(part for part in parts if part)


def _cores(sample: dict, machine: dict) -> str:
    cores = sample.get("cores", sample["threads"])
    kinds = {kind["name"]: kind["core_count"] for kind in machine["kinds"] if kind["name"]}
    every = kinds.get(sample.get("core_kind"), machine["core_count"])
    is_part = "package" in sample or "node" in sample
    if cores in (0, every or cores) and cores != 1 and not is_part:
        return "all cores"
    return "one core" if cores == 1 else f"{cores} cores"


def _roof(sample: dict, machine: dict) -> Roof:
    kernel, kind, level = sample["kernel"], sample.get("kind", "compute"), sample.get("level") or None
    isa, *types, op = kernel.split(".") if "." in kernel else ("", kernel)
    type, place, small = ".".join(types), _place(sample), sample.get("small_pages", False)
    units = {"compute": "op/s" if type[:1] == "i" else "flop/s", "bandwidth": "B/s", "latency": "s"}
    name = f"{level or ''} {kernel}{' (4 KiB pages)' * small}, {_cores(sample, machine)}{', ' * bool(place)}{place}"
    known = sample["value"] > 0
    return Roof(name.strip(), kernel, kind, isa, type, op, level, sample["threads"], place, small,
                sample["value"] if known else None, sample.get("low") if known else None,
                sample.get("high") if known else None, units[kind], sample.get("per_cycle") or None,
                sample.get("documented_per_cycle"), (sample["clock_hz"] or [0])[0] or None,
                sample.get("working_set_bytes"), sample.get("doubts", []))


def _median(point: dict, *keys: str) -> Optional[float]:
    """The sum of the medians [n, kept, min, q1, median, q3, max]; None: not known."""
    known = [point[key][4] for key in keys if key in point]
    return sum(known) if known else None


def _quotient(over: Optional[float], under: Optional[float]) -> Optional[float]:
    return over / under if over is not None and under else None


def _point(point: dict) -> Point:
    seconds, flop = _median(point, "seconds"), _median(point, "flop")
    core, dram = _median(point, "load_bytes", "store_bytes"), _median(point, "dram_read_bytes", "dram_write_bytes")
    return Point(point["name"], point["program"], point["part"], point["threads"], seconds, flop, core, dram,
                 _quotient(flop, seconds), _quotient(flop, core), _quotient(flop, dram), point.get("time_share"),
                 point.get("clock_hz"), point.get("series"), point.get("size"), point.get("doubts", []))


def _curve(curve: dict) -> Curve:
    kind = curve["kind"]
    return Curve(curve["kernel"], kind, curve["threads"], "s" if kind == "latency" else "B/s",
                 [each["working_set_bytes"] for each in curve["points"]], [each["value"] for each in curve["points"]])


def read(path: str) -> Result:
    """Reads a result file. ValueError: it is none."""
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise ValueError(f"{path}: no result of Carmine (schema {SCHEMA})")
    try:
        return Result(path, data, [_roof(sample, data["machine"]) for sample in data["samples"]],
                      [_point(point) for point in data.get("points", [])], [_curve(curve) for curve in data["curves"]])
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"{path}: cut or edited ({error!r}): restore it, or measure again (carmine run -o)") from error


def read_all(paths: str | Iterable[str]) -> List[Result]:
    """Reads all results of a folder, of a pattern ("nodes/*.json") or of a list; in a folder, not other files."""
    if not isinstance(paths, str):
        return [read(path) for path in paths]
    folder = os.path.isdir(paths)
    results = []
    for path in sorted(glob.glob(os.path.join(glob.escape(paths), "*.json") if folder else paths)):
        try:
            results.append(read(path))
        except ValueError:
            if not folder:
                raise
    return results


def fleet(results: Iterable[Result]) -> List[Deviation]:
    """Each roof of each node against the median of its machine type. (`carmine fleet` judges and explains.)"""
    alike: dict = {}
    for result in results:
        for roof in result.roofs:
            if roof.value:
                alike.setdefault((result.machine, roof.name), []).append((result, roof))
    rows = []
    for (machine, name), nodes in alike.items():
        median = statistics.median(roof.value for _, roof in nodes)
        rows += [Deviation(result.host, machine, name, roof.unit, roof.value, median, roof.value / median - 1,
                           len(nodes)) for result, roof in nodes]
    return rows


def unit(of: Any, name: str) -> Optional[str]:
    """The unit of a field of a class or object: unit(Point, "seconds") is "s". None: none, or in its field `unit`."""
    return {each.name: each.metadata.get("unit") for each in dataclasses.fields(of)}[name]


def frame(objects: Iterable[Any]) -> Any:
    """Roofs, points, curves or deviations as a pandas DataFrame, a row each; attrs["units"] has the columns' units."""
    import pandas

    rows = list(objects)
    table = pandas.DataFrame([{each.name: getattr(row, each.name) for each in dataclasses.fields(row)} for row in rows])
    table.attrs["units"] = {name: unit(rows[0], name) for name in table.columns if unit(rows[0], name)} if rows else {}
    return table


def roofline(ax: Any, result: Result, threads: Optional[int] = None, type: str = "f64", isa: Optional[str] = None,
             place: str = "", points: bool = True) -> None:
    """Draws the roofs of all levels with their intervals, the peak and the points on matplotlib's axes.

    `threads`: all, unless given. ValueError: the result has no peak or no bandwidth of these.
    """
    threads = threads or result.threads(place)
    peak = result.peak(type, threads, isa, place)
    roofs = [roof for roof in (result.bandwidth(level, threads, isa, place) for level in result.levels) if roof]
    if not peak or not roofs:
        raise ValueError(f"{result.path}: no peak and bandwidth of {threads} threads in {type}")
    shown = [point for point in result.points if points and point.flop_per_s and point.flop_per_byte]
    ridges = [peak.value / roof.value for roof in roofs]
    left = min([min(ridges) / 16] + [point.flop_per_byte / 2 for point in shown])
    right = max([max(ridges) * 8] + [point.flop_per_byte * 2 for point in shown])
    for index, (roof, ridge) in enumerate(zip(roofs, ridges)):
        color = OUTERMOST if roof is roofs[-1] else COLORS[index % len(COLORS)]
        ax.plot([left, ridge], [left * roof.value, peak.value], color=color, label=f"{roof.level} {_rate(roof)}")
        if roof.low and roof.high:
            ends = [left, peak.value / roof.high, peak.value / roof.low]
            ax.fill_between(ends, [x * roof.low for x in ends], [min(x * roof.high, peak.value) for x in ends],
                            color=color, alpha=0.2, linewidth=0)
    ax.plot([min(ridges), right], [peak.value] * 2, color="black", label=f"{peak.isa} {peak.op} {_rate(peak)}")
    named: dict = {}
    for point in shown:
        named.setdefault(point.series or point.name, []).append((point.flop_per_byte, point.flop_per_s))
    for index, (name, places) in enumerate(named.items()):
        ax.plot(*zip(*places), MARKERS[index % len(MARKERS)], color="black", markerfacecolor="white", label=name)
    title = [result.machine, type] + ([_plural(threads, "thread")] if threads else [])
    _finish(ax, ", ".join(title), "Performance [flop/s]")
    ax.set(xlim=(left, right), xlabel="Arithmetic intensity [flop per byte loaded or stored]")
    ax.set_ylim(top=2 * peak.value)
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")


def curves(ax: Any, result: Result, kind: str = "bandwidth") -> None:
    """Draws the sweeps of one kind: values against the working set."""
    from matplotlib.ticker import LogLocator

    shown = [curve for curve in result.curves if curve.kind == kind]
    for curve in shown:
        label = f"{curve.kernel}, {_plural(curve.threads, 'thread')}"
        ax.plot(curve.working_set_bytes, curve.values, ".-", label=label)
    _finish(ax, result.machine, f"{kind.capitalize()} [{shown[0].unit if shown else ''}]")
    ax.set(xlabel="Working set of a thread")
    ax.xaxis.set_major_locator(LogLocator(base=8))
    ax.xaxis.set_major_formatter(lambda value, _: next(f"{value / size:g} {unit}" for unit, size in (
        ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10), ("B", 1)) if value >= size))


def _finish(ax: Any, title: str, ylabel: str) -> None:
    from matplotlib.ticker import LogLocator

    ax.set(xscale="log", yscale="log", title=title, ylabel=ylabel)
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_major_formatter(lambda value, _: si(value, "", "g"))
    ax.minorticks_off()
    ax.legend(frameon=False, fontsize="small")


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def _rate(roof: Roof) -> str:
    """The value, or the interval if it is wider than 5 % to both sides."""
    vague = roof.value and roof.low and roof.high and (roof.high - roof.low) / 2 > 0.05 * roof.value
    return f"{si(roof.low, roof.unit)} to {si(roof.high, roof.unit)}" if vague else si(roof.value, roof.unit)


def si(value: float, unit: str, form: str = "#.3g") -> str:
    """A number with a prefix: si(2.0757e11, "B/s") is "208 GB/s"."""
    digits = float(f"{value:.2e}")
    prefix, scale = next((each for each in PREFIXES if digits >= each[1]), PREFIXES[-1])
    number = format(digits / scale, form).rstrip("." if "." in form else "")
    return f"{number} {prefix}{unit}".rstrip()
