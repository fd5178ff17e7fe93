# SPDX-License-Identifier: BSD-3-Clause
"""Tests of carmine.py: `python3 -m unittest` in this folder. FLAT names a folder with an answer of
`carmine show results/NAME --format flat` for each NAME, so that the module and the program agree."""
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import unittest

import carmine

RESULTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "results")
ZEN3 = os.path.join(RESULTS, "zen3-2-cores-vm.json")
SEED = os.path.join(RESULTS, os.pardir, "tests", "fuzz", "seeds", "result.json")
UNITS = {"flop/s": "flop_per_s", "op/s": "op_per_s", "B/s": "bytes_per_s", "s": "s"}


def lacks(package):
    try:
        __import__(package)
        return False
    except ImportError:
        return True


class Reading(unittest.TestCase):
    def test_names_and_numbers_are_those_of_the_program(self):
        if "FLAT" not in os.environ:
            self.skipTest("FLAT names no answers of carmine")
        for file_name in os.listdir(os.environ["FLAT"]):
            with open(os.path.join(os.environ["FLAT"], file_name)) as file:
                flat = json.load(file)["metrics"]
            result = carmine.read(os.path.join(RESULTS, file_name))
            roofs = {roof.name: roof for roof in result.roofs if roof.value}
            figures = set(flat) - set(roofs)  # of the memory under load
            self.assertEqual(set(roofs) - set(flat), set())
            self.assertTrue(not figures or "memory_series" in result.data)
            for name, roof in roofs.items():
                self.assertEqual(UNITS[roof.unit], flat[name]["unit"])
                for own, key in ((roof.value, "value"), (roof.low, "low"), (roof.high, "high")):
                    self.assertEqual(own is None, flat[name][key] is None)
                    self.assertAlmostEqual((own or 1) / (flat[name][key] or 1), 1, places=6, msg=name)

    def test_points_have_rates_and_unknown_is_none(self):
        point = carmine.read(SEED).points[0]
        self.assertEqual((point.name, point.part, point.size), ("dgemm-triple 16", "region", 16))
        self.assertIsNone(point.dram_bytes)
        self.assertEqual(point.core_bytes, 67696 + 2048)
        self.assertAlmostEqual(point.flop_per_s, 8192 / 5.87187e-6)
        self.assertAlmostEqual(point.flop_per_byte, 8192 / (67696 + 2048))
        untimed = carmine.read(SEED).points[2]
        self.assertEqual((untimed.seconds, untimed.flop_per_s, untimed.flop_per_byte), (None, None, None))

    def test_best_roofs(self):
        result = carmine.read(ZEN3)
        self.assertEqual(result.levels, ["L1", "L2", "L3", "DRAM"])
        self.assertEqual(result.threads(), 2)
        self.assertEqual(result.peak().name, "avx2.f64.fma, all cores")
        self.assertEqual(result.peak("f32", threads=1).unit, "flop/s")
        for level in result.levels:
            best = result.bandwidth(level, threads=1)
            self.assertNotIn(best.op, ("random", "chase"))
            self.assertFalse(best.small_pages)
        self.assertIsNone(result.bandwidth("L9"))

    def test_curves_rise_in_size(self):
        for curve in carmine.read(ZEN3).curves:
            self.assertEqual(curve.working_set_bytes, sorted(curve.working_set_bytes))
            self.assertEqual(len(curve.values), len(curve.working_set_bytes))
            self.assertEqual(curve.unit, {"bandwidth": "B/s", "latency": "s"}[curve.kind])

    def test_other_files_are_refused_or_left_out_of_a_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            other = os.path.join(folder, "other.json")
            for text in ('{"schema": "carmine.roofs/1"}', '{"schema": "carmine.result/1"}', '[]', 'no JSON'):
                with open(other, "w") as file:
                    file.write(text)
                self.assertRaises(ValueError, carmine.read, other)
                self.assertEqual(carmine.read_all(folder), [])
                self.assertRaises(ValueError, carmine.read_all, os.path.join(folder, "*.json"))

    def test_a_fleet_has_deviations_from_the_median(self):
        slower = dataclasses.replace(carmine.read(ZEN3))
        slower.roofs[0] = dataclasses.replace(slower.roofs[0], value=0.8 * slower.roofs[0].value)
        rows = [row for row in carmine.fleet([carmine.read(ZEN3), slower, carmine.read(ZEN3)])
                if row.roof == slower.roofs[0].name]
        self.assertEqual([round(row.deviation, 6) for row in rows], [0, -0.2, 0])
        self.assertEqual({row.nodes for row in rows}, {3})

    def test_units(self):
        self.assertEqual(carmine.unit(carmine.Point, "seconds"), "s")
        self.assertEqual(carmine.unit(carmine.Roof, "clock_hz"), "Hz")
        self.assertIsNone(carmine.unit(carmine.Roof, "value"))
        self.assertEqual([carmine.si(value, "B/s") for value in (2.0757e11, 999.9e9, 1.5e12, 42, 0.5)],
                         ["208 GB/s", "1.00 TB/s", "1.50 TB/s", "42.0 B/s", "500 mB/s"])

    def test_reading_needs_no_package(self):
        program = "import sys, carmine; carmine.read(sys.argv[1]); print(*{'pandas', 'matplotlib'} & set(sys.modules))"
        answer = subprocess.run([sys.executable, "-c", program, ZEN3], check=True, capture_output=True, text=True,
                                cwd=os.path.dirname(os.path.abspath(__file__)))
        self.assertEqual(answer.stdout.strip(), "")


@unittest.skipIf(lacks("pandas"), "there is no pandas (python3-pandas)")
class Frames(unittest.TestCase):
    def test_a_row_each_with_units(self):
        result = carmine.read(SEED)
        frame = carmine.frame(result.points)
        self.assertEqual(list(frame["name"]), [point.name for point in result.points])
        self.assertEqual(frame.attrs["units"]["core_bytes"], "B")
        self.assertEqual(len(carmine.frame(result.roofs)), len(result.roofs))
        self.assertEqual(len(carmine.frame([])), 0)


@unittest.skipIf(lacks("matplotlib"), "there is no matplotlib (python3-matplotlib)")
class Pictures(unittest.TestCase):
    def axes(self):
        from matplotlib.figure import Figure

        return Figure().subplots()

    def drawn(self, ax):
        """The drawn lines' ends by label."""
        ax.figure.canvas.draw()
        return {line.get_label(): list(zip(*line.get_data())) for line in ax.get_lines()}

    def test_a_roofline_meets_its_peak(self):
        ax, result = self.axes(), carmine.read(ZEN3)
        carmine.roofline(ax, result, threads=1)
        lines = self.drawn(ax)
        peak = result.peak(threads=1)
        for level in result.levels:
            (label,) = [label for label in lines if label.startswith(level + " ")]
            (x, y), (ridge, top) = lines[label]
            self.assertAlmostEqual(y / x / result.bandwidth(level, threads=1).value, 1)
            self.assertAlmostEqual(top / peak.value, 1)
            self.assertAlmostEqual(top / ridge / result.bandwidth(level, threads=1).value, 1)

    def test_points_are_where_they_belong(self):
        ax, result = self.axes(), carmine.read(SEED)
        carmine.roofline(ax, result)
        points = self.drawn(ax)[result.points[0].series]
        self.assertEqual(points, [(point.flop_per_byte, point.flop_per_s) for point in result.points[:2]])
        bare = self.axes()
        carmine.roofline(bare, result, points=False)
        self.assertEqual(len(bare.get_lines()), len(ax.get_lines()) - 1)

    def test_what_lacks_is_an_error(self):
        self.assertRaises(ValueError, carmine.roofline, self.axes(), carmine.read(ZEN3), threads=99)

    def test_curves(self):
        ax, result = self.axes(), carmine.read(ZEN3)
        carmine.curves(ax, result, "latency")
        (curve,) = [curve for curve in result.curves if curve.kind == "latency"]
        self.assertEqual(list(self.drawn(ax).values()), [list(zip(curve.working_set_bytes, curve.values))])


if __name__ == "__main__":
    unittest.main()
