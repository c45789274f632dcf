"""What is shipped: requirements, public names, configuration files, test names."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
import yaml

import gswlab
from gswlab.lab import config
from gswlab.lab.settings import CONF, build

PIP = (sys.executable, "-m", "pip", "wheel", "--quiet")
ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CHOICES = [
    (group, name) for group, names in config.conf_groups().items() for name in names
]


def test_the_conda_environment_has_the_requirements_of_pyproject():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    python, pip, rest = environment["dependencies"]
    extras = PROJECT["optional-dependencies"]["notebook"]
    assert python == f"python{PROJECT['requires-python']}"
    assert pip == "pip"
    assert rest["pip"] == [*PROJECT["dependencies"], *extras]


def test_every_public_name_can_be_imported_and_there_are_about_twenty():
    assert len(gswlab.__all__) <= 20
    assert gswlab.__all__ == sorted(gswlab.__all__, key=_isort)
    for name in gswlab.__all__:
        assert getattr(gswlab, name).__doc__, name
    with pytest.raises(AttributeError):
        _ = gswlab.nothing


def _isort(name: str) -> tuple[int, str]:
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def test_importing_the_package_imports_nothing_heavy():
    code = "import sys, gswlab.__main__; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    heavy = {"hydra", "numpy", "pandas", "pydantic", "scipy", "spacy", "tqdm"}
    assert not heavy & set(done.stdout.split())


def test_a_module_that_is_named_is_there_without_an_import_of_its_own():
    code = "import gswlab; print(gswlab.testing.check_memory, gswlab.view.glossary)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "check_memory" in done.stdout, done.stderr
    assert "glossary" in done.stdout, done.stderr


@pytest.mark.parametrize(("group", "name"), CHOICES)
def test_every_choice_of_every_group_composes_and_builds(group, name, tmp_path):
    model = () if group == "llm" else ("llm=openai",)  # what some stages ask
    if group == "agent" or name == "maze":
        model = () if name == "maze" else ("experiment=maze",)
    if group == "gate":
        model = ("memory=gedig", *model)
    made = config._composed((f"{group}={name}", *model))
    assert made.choices[group] == name
    for key, node in made.settings.items():
        if isinstance(node, dict) and "_target_" in node:
            build(node, key)


def test_a_configuration_file_says_only_what_differs_from_its_class():
    for path in CONF.glob("*/*.yaml"):
        node = yaml.safe_load(path.read_text()) or {}
        own = {key for key, value in node.items() if not str(value).startswith("${")}
        assert len(own - {"defaults"}) <= 4, f"{path} repeats defaults"


@pytest.mark.slow
def test_conf_is_a_folder_at_the_top_and_ships_inside_the_package(tmp_path):
    assert (ROOT / "conf" / "config.yaml").samefile(CONF / "config.yaml")
    assert not (ROOT / "conf").is_symlink()
    command = [*PIP, "--no-deps", "--wheel-dir", str(tmp_path), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("gswlab-*.whl")
    shipped = set(zipfile.ZipFile(wheel).namelist())
    for file in CONF.rglob("*.yaml"):
        assert f"gswlab/conf/{file.relative_to(CONF)}" in shipped, file


@pytest.mark.slow
def test_the_wheel_alone_reads_asks_and_guides_without_the_checkout(tmp_path):
    build = [*PIP, "--no-deps", "--wheel-dir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("gswlab-*.whl")
    venv.create(tmp_path / "env", with_pip=False)
    (site,) = tmp_path.glob("env/lib/python*/site-packages")
    zipfile.ZipFile(wheel).extractall(site)
    # What it depends on is here already; a path file names the folder, not its links.
    (site / "others.pth").write_text(sysconfig.get_path("purelib"))
    (tmp_path / "empty").mkdir()

    def typed(*words):
        done = subprocess.run(
            [tmp_path / "env" / "bin" / "python", *words],
            cwd=tmp_path / "empty",
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    assert str(site) in typed("-c", "import gswlab; print(gswlab.__file__)")
    demo = typed("-m", "gswlab", "demo")
    assert "Edgar Voss" in demo
    (ask,) = re.findall(r"python (-m gswlab ask \S+) \"(.+)\"", demo)
    assert "because: " in typed(*ask[0].split(), ask[1])
    typed("-m", "gswlab", "demo", "--tour", "tour.html")
    left = {path.name for path in (tmp_path / "empty").iterdir()}
    assert left == {"demo.html", "runs", "tour.html"}
    tour = (tmp_path / "empty" / "tour.html").read_text("utf-8")
    assert str(ROOT) not in tour


def test_only_one_module_knows_hydra():
    for path in (ROOT / "gswlab").rglob("*.py"):
        knows = re.search(
            r"^\s*(from|import) (hydra|omegaconf)", path.read_text(), re.M
        )
        assert not knows or path.name == "config.py", path


def test_every_test_is_named_by_a_sentence():
    for path in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                words = node.name.split("_")
                assert len(words) >= 4, f"{path.name}: {node.name} is no sentence"


def test_nothing_tracked_names_this_machine():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    here = re.escape(str(ROOT.parent))
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.is_file() and path.suffix in {".py", ".md", ".toml", ".yaml", ".yml"}:
            text = path.read_text(encoding="utf-8")
            assert not re.search(rf"{here}/(main|shared)", text), name
