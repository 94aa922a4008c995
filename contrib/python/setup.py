"""What pyproject.toml cannot say: the wheel holds a program of this machine's architecture, and serves every Python."""
from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class WithProgram(Distribution):
    def has_ext_modules(self):
        return True


class ProgramWheel(bdist_wheel):
    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


setup(distclass=WithProgram, cmdclass={"bdist_wheel": ProgramWheel})
