"""Spack's recipe of Tayra, for Spack 1.0 or later; docs/cluster.md says how it is used."""

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Tayra(CMakePackage, CudaPackage):
    """Compressible Rayleigh-Taylor flow on CPUs and on one or many GPUs."""

    license("Apache-2.0")

    # Built from a source tree that is there: `spack develop`, see docs/cluster.md.
    version("0.2.0")

    variant("mpi", default=True, description="Run on several ranks")
    variant("nccl", default=True, when="+cuda", description="Exchange halos through NCCL, too")

    generator("ninja")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("hdf5~mpi", when="~mpi")
    depends_on("hdf5", when="+mpi")
    depends_on("zlib-api")
    depends_on("yaml-cpp@0.7:")
    depends_on("muparser@2.3:")
    depends_on("cli11@2.3:")
    depends_on("fmt@9:")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@12.8:", when="+cuda")
    depends_on("nccl", when="+nccl")

    # tayra plot, compare, watch and report
    depends_on("python@3.11:", type="run")
    depends_on("py-numpy@1.24:", type="run")
    depends_on("py-h5py@3.8:", type="run")
    depends_on("py-matplotlib@3.6:", type="run")

    conflicts("%gcc@:11", msg="Tayra needs C++20 and <experimental/simd> of GCC 12 or later")

    def cmake_args(self):
        args = [
            self.define_from_variant("TAYRA_CUDA", "cuda"),
            self.define_from_variant("TAYRA_MPI", "mpi"),
            self.define("TAYRA_NCCL", self.spec.satisfies("+nccl")),
            self.define("TAYRA_NVSHMEM", False),
            self.define("TAYRA_TESTS", False),
            self.define("TAYRA_PROCESSOR", "any"),  # Spack's compiler wrapper names the target's
        ]
        architectures = self.spec.variants["cuda_arch"].value if self.spec.satisfies("+cuda") else ("none",)
        if "none" not in architectures:
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", architectures))
        return args
