# SPDX-License-Identifier: GPL-3.0-or-later
"""Marks tests of shapes that take long as slow, and leaves out the files that `make test-fast` skips."""

import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.offline import ONLY_OFFLINE

# The files that `--fast` leaves out: those that take long. Each such run lists the slowest of the others.
LONG = frozenset(
    {
        "test_all_but_touching.py",
        "test_assemblies.py",
        "test_candidate_axes.py",
        "test_checks_rules.py",
        "test_close_cores.py",
        "test_coherence.py",
        "test_coincident_surfaces.py",
        "test_convex_meshes.py",
        "test_convexity_edges.py",
        "test_cylinder_pairs.py",
        "test_distance_map.py",
        "test_early_outs.py",
        "test_expected_skips.py",
        "test_explanation_overlay.py",
        "test_fit_cuts.py",
        "test_fit_hull.py",
        "test_fit_primitives.py",
        "test_fit_quality.py",
        "test_flat_contacts.py",
        "test_frustum_exact.py",
        "test_hausdorff.py",
        "test_heights.py",
        "test_hull.py",
        "test_hull_degenerate.py",
        "test_hull_pairs.py",
        "test_hunt_oracles.py",
        "test_hunts_in_integers.py",
        "test_hypothesis_pairs.py",
        "test_inflated.py",
        "test_input_ranges.py",
        "test_inputs.py",
        "test_interference.py",
        "test_kernels_meshes.py",
        "test_large_hulls.py",
        "test_local_distance.py",
        "test_mesh_certificates.py",
        "test_mesh_contract.py",
        "test_mesh_crossing.py",
        "test_mesh_intersections.py",
        "test_mesh_loose_parts.py",
        "test_mesh_nearest.py",
        "test_mesh_verdicts.py",
        "test_minkowski.py",
        "test_names_in_prose.py",
        "test_obstacle_overlay.py",
        "test_overlay.py",
        "test_pair_contract.py",
        "test_peers_flat_faced.py",
        "test_planar_contract.py",
        "test_planar_decomposition.py",
        "test_planar_early_outs.py",
        "test_planar_exact.py",
        "test_planar_hull.py",
        "test_planar_interference.py",
        "test_planar_invariance.py",
        "test_planar_region_depth.py",
        "test_planar_turning.py",
        "test_points.py",
        "test_probe.py",
        "test_project_cluster.py",
        "test_project_run.py",
        "test_random_scenes.py",
        "test_rays.py",
        "test_region_depths.py",
        "test_round_certificates.py",
        "test_round_exact.py",
        "test_round_pairs.py",
        "test_self_crossings.py",
        "test_spheres_in_closed_form.py",
        "test_stable_manifolds.py",
        "test_support_mapped.py",
        "test_sweep_and_prune.py",
        "test_swept_bounds.py",
        "test_swept_closed_forms.py",
        "test_swept_flat.py",
        "test_swept_last.py",
        "test_swept_polytopes.py",
        "test_swept_turning.py",
        "test_thin_shapes.py",
        "test_time_of_impact.py",
        "test_time_of_impact_oracles.py",
    }
)

_BEGIN = pytest.StashKey[float]()
_seconds: Counter[str] = Counter()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of `make test-fast`."""
    parser.addoption("--fast", action="store_true", help="leave out the files that take long")


def pytest_configure(config: pytest.Config) -> None:
    """Raise an error for names of files that do not exist."""
    if missing := [name for name in sorted(LONG) if not (Path(__file__).parent / name).is_file()]:
        raise pytest.UsageError(f"LONG of {__file__} names files that do not exist: {', '.join(missing)}")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore the files that take long."""
    return True if config.getoption("fast") and collection_path.name in LONG else None


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Record when a test begins."""
    item.stash[_BEGIN] = time.process_time()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Iterator[Any]:
    """Add the processor time to the last report of a test; other programs do not count."""
    report = yield
    if call.when == "teardown":
        now = time.process_time()
        # A test that is skipped does not begin.
        report.user_properties.append(("processor", now - item.stash.get(_BEGIN, now)))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up the time of each file."""
    for name, value in report.user_properties:
        if name == "processor" and report.when == "teardown" and isinstance(value, float):
            _seconds[Path(report.nodeid.partition("::")[0]).name] += value


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """List the files that take most of the time."""
    if config.getoption("fast") and _seconds:
        slowest = ", ".join(f"{name} {seconds:.1f}" for name, seconds in _seconds.most_common(8))
        terminalreporter.write_line(f"slowest files, in seconds of a processor: {slowest}")


# All queries and motions of all pairs of these kinds take minutes; test_support_mapped.py has quick tests of both.
_CONTRACTS = {
    "test_candidate_axes.py",
    "test_early_outs.py",
    "test_hypothesis_pairs.py",
    "test_input_ranges.py",
    "test_pair_contract.py",
    "test_time_of_impact.py",
    "test_time_of_impact_oracles.py",
}
_SUPPORT_MAPPED = re.compile(r"cone|ellipsoid", re.IGNORECASE)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the contract tests of cones and ellipsoids as slow, and leave slow tests of all kinds to OFFLINE=1."""
    for item in items:
        if not _SUPPORT_MAPPED.search(item.name):
            continue
        if item.get_closest_marker("slow"):
            for mark in ONLY_OFFLINE:
                item.add_marker(mark)
        elif item.path.name in _CONTRACTS:
            item.add_marker(pytest.mark.slow)
