"""Names the wheel after what its programs need: an x86-64 Linux with Debian 12's C library, and any Python."""
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PlatformTag(BuildHookInterface):
    def initialize(self, version, build_data):
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-manylinux_2_36_x86_64"
