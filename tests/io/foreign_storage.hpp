// Files as a stranger may send them: their numbers lie in other files of whoever reads them.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "io/hdf5.hpp"

namespace tayra {

/// Changes a file that already holds the dataset.
using Tampering = std::function<void(hid_t file, const std::string& dataset)>;

inline void make_anew(hid_t file, const std::string& dataset, const std::function<void(hid_t)>& set) {
  std::vector<hsize_t> sizes = h5::extent_of(h5::open_dataset(file, dataset));
  const h5::Handle settings(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "create settings");
  set(settings);
  h5::check(H5Ldelete(file, dataset.c_str(), H5P_DEFAULT), "unlink");
  h5::Handle(H5Dcreate2(file, dataset.c_str(), H5T_IEEE_F64LE, h5::space_of(sizes), H5P_DEFAULT, settings,
                        H5P_DEFAULT),
             H5Dclose, "create");
}

inline Tampering show_planes_of(const std::string& other, const std::string& name) {
  return [=](hid_t file, const std::string& dataset) {
    make_anew(file, dataset, [&](hid_t settings) {
      const auto sizes = h5::extent_of(h5::open_dataset(file, dataset));
      h5::check(
          H5Pset_virtual(settings, h5::space_of(sizes), other.c_str(), name.c_str(), h5::space_of(sizes)),
          "show");
    });
  };
}

/// By name; each would show bytes of `secret`, or of an HDF5 file of that name.
inline std::vector<std::pair<std::string, Tampering>> tamperings(const std::string& secret) {
  return {{"external storage",
           [=](hid_t file, const std::string& dataset) {
             make_anew(file, dataset, [&](hid_t settings) {
               h5::check(H5Pset_external(settings, secret.c_str(), 0, H5F_UNLIMITED), "keep outside");
             });
           }},
          {"external link",
           [=](hid_t file, const std::string& dataset) {
             h5::check(H5Ldelete(file, dataset.c_str(), H5P_DEFAULT), "unlink");
             h5::check(H5Lcreate_external(secret.c_str(), dataset.c_str(), file, dataset.c_str(), H5P_DEFAULT,
                                          H5P_DEFAULT),
                       "link");
           }},
          {"soft link",
           [=](hid_t file, const std::string& dataset) {
             h5::check(H5Lmove(file, dataset.c_str(), file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT), "move");
             h5::check(H5Lcreate_soft("/elsewhere", file, dataset.c_str(), H5P_DEFAULT, H5P_DEFAULT), "link");
           }},
          {"virtual dataset", show_planes_of(secret, "density")},
          {"virtual dataset above", show_planes_of("../ranks/000000-0.h5", "density")},
          {"virtual dataset below", show_planes_of("ranks/../../000000-0.h5", "density")},
          {"virtual dataset by a path", show_planes_of("ranks/000000-0.h5", "link/density")},
          {"virtual dataset in itself", show_planes_of(".", "elsewhere")}};
}

}  // namespace tayra
