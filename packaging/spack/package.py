from spack.package import *


class Dse(CMakePackage):
    """Design-space exploration for distributed machine learning."""

    license("Apache-2.0")

    version("0.1.0")

    depends_on("cxx", type="build")
    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("ninja", type="build")
    depends_on("fmt@9:")
    depends_on("spdlog@1.10: +fmt_external")
    depends_on("nlohmann-json@3.11:")
    depends_on("yaml-cpp@0.7:")
    depends_on("cli11@2:")
    depends_on("boost@1.74: +mpi+serialization")
    depends_on("mpi")
    depends_on("hdf5@1.10:+hl~mpi")
    depends_on("protobuf@3.21:")
    depends_on("xxhash@0.8:")
    depends_on("libcsv")
    depends_on("zlib-api")

    generator("ninja")

    def cmake_args(self):
        return [self.define("DSE_BUILD_TESTS", False), self.define("DSE_UNITY", True),
                self.define("DSE_PRECOMPILED", True)]
