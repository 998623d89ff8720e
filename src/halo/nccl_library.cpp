// Where the loader finds libraries, or else among the packages of the Python that Tayra was installed with.
#include "halo/nccl_library.hpp"

#include <dlfcn.h>

#include <filesystem>

namespace tayra {
namespace {

namespace fs = std::filesystem;

const std::string file_name = "libnccl.so.2";

void* open_library(const std::string& name) { return dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL); }

/// Of the package nvidia-nccl-cu…, with the program in bin beside Python's lib.
void* open_python_package() {
  std::error_code none;
  const fs::path root = fs::read_symlink("/proc/self/exe", none).parent_path().parent_path();
  for (const char* lib : {"lib", "lib64"})
    for (const auto& python : fs::directory_iterator(root / lib, none)) {
      const fs::path packages = python.path() / "site-packages";
      if (void* library = open_library(packages / "nvidia/nccl/lib" / file_name)) return library;
    }
  return nullptr;
}

template <class Function>
void take(void* library, const char* name, Function& function, std::string& missing) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) missing = file_name + " has no " + name;
}

NcclLibrary load() {
  NcclLibrary nccl{};
  void* library = open_library(file_name);
  if (library == nullptr) {
    nccl.missing = dlerror();
    library = open_python_package();
    if (library == nullptr) return nccl;
    nccl.missing.clear();
  }
  take(library, "ncclGetErrorString", nccl.error_text, nccl.missing);
  take(library, "ncclGetUniqueId", nccl.get_unique_id, nccl.missing);
  take(library, "ncclCommInitRank", nccl.init_rank, nccl.missing);
  take(library, "ncclCommDestroy", nccl.destroy, nccl.missing);
  take(library, "ncclCommAbort", nccl.abort, nccl.missing);
  take(library, "ncclGroupStart", nccl.group_start, nccl.missing);
  take(library, "ncclGroupEnd", nccl.group_end, nccl.missing);
  take(library, "ncclSend", nccl.send, nccl.missing);
  take(library, "ncclRecv", nccl.receive, nccl.missing);
  take(library, "ncclAllGather", nccl.all_gather, nccl.missing);
  return nccl;
}

}  // namespace

const NcclLibrary& nccl() {
  static const NcclLibrary library = load();
  return library;
}

}  // namespace tayra
