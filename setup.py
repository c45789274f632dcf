"""What pyproject.toml cannot say: `conf/` lies at the top and ships in the package."""

from setuptools import find_namespace_packages, setup

setup(
    packages=[*find_namespace_packages(include=["gswlab*"]), "gswlab.conf"],
    package_dir={"gswlab.conf": "conf"},
)
