// Files as earlier versions left those of several ranks: their numbers lie in parts beside them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grid/decomposition.hpp"
#include "io/foreign_storage.hpp"
#include "io/hdf5.hpp"

namespace tayra {

/// A dataset of doubles is made one that shows those of three ranks.
inline void share_among_ranks(const std::string& path, const std::string& dataset) {
  constexpr int ranks = 3;
  h5::prepare();
  const h5::Handle file = h5::open_to_add(path, h5::Format::guarded);
  const auto sizes = h5::extent_of(h5::open_dataset(file, dataset));
  std::size_t plane = 1;
  for (std::size_t i = 1; i < sizes.size(); ++i) plane *= sizes[i];
  const std::string stem = "ranks/" + std::filesystem::path(path).stem().string() + "-";
  std::filesystem::create_directory(h5::path_of(path, "ranks"));
  const auto slabs = cut_into_slabs(static_cast<int>(sizes[0]), ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<double> numbers(plane * slabs[rank].planes);
    h5::read_planes(h5::open_dataset(file, dataset), H5T_NATIVE_DOUBLE, slabs[rank], numbers.data());
    auto of_part = sizes;
    of_part[0] = static_cast<hsize_t>(slabs[rank].planes);
    const h5::Handle part =
        h5::create_file(h5::path_of(path, stem + std::to_string(rank) + ".h5"), h5::Format::guarded);
    const h5::Handle data =
        h5::create_dataset(part, dataset, H5T_IEEE_F64LE, of_part, h5::dataset_settings());
    h5::check(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), "write");
  }
  make_anew(file, dataset, [&](hid_t settings) {
    for (int rank = 0; rank < ranks; ++rank) {
      std::vector<hsize_t> start(sizes.size(), 0), count = sizes;
      start[0] = static_cast<hsize_t>(slabs[rank].first);
      count[0] = static_cast<hsize_t>(slabs[rank].planes);
      const h5::Handle here = h5::space_of(sizes);
      h5::check(H5Sselect_hyperslab(here, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
                "select planes");
      h5::check(H5Pset_virtual(settings, here, (stem + std::to_string(rank) + ".h5").c_str(), dataset.c_str(),
                               h5::space_of(count)),
                "show a part");
    }
  });
  const std::string link = "VTKHDF/CellData/" + dataset;
  if (H5Lexists(file, "VTKHDF", H5P_DEFAULT) <= 0) return;
  h5::check(H5Ldelete(file, link.c_str(), H5P_DEFAULT), "unlink");
  h5::check(H5Lcreate_hard(file, dataset.c_str(), file, link.c_str(), H5P_DEFAULT, H5P_DEFAULT), "link");
}

}  // namespace tayra
