"""Checks that an installed package works and contains licences, types and metadata. Run it with the package's Python."""

from importlib.metadata import distribution

import hippodrome

assert hippodrome.count("5x5").directed == 1728
assert len(hippodrome.find("8x8", closed=True)) == 64
assert "mace" in [solver.name for solver in hippodrome.solvers()]

installed = distribution("hippodrome")
assert installed.version == hippodrome.__version__
about = installed.metadata
assert about["License-Expression"] == "MIT OR Apache-2.0", about["License-Expression"]
assert about["Summary"] and about["Requires-Python"] == ">=3.11" and "Source" in about["Project-URL"]
assert "notebooks draw it" in str(about.json["description"]), "the README is the long description"
names = [str(file) for file in installed.files or []]
for wanted in ["LICENSE-MIT", "LICENSE-APACHE", "hippodrome/py.typed", "hippodrome/_hippodrome.pyi"]:
    assert any(name.endswith(wanted) for name in names), f"{wanted} is not in the package: {names}"
print(f"hippodrome {installed.version} from its archive: works, with licences and types")
