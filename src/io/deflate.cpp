// By zlib, as HDF5 does.
#include "io/deflate.hpp"

#include <zlib.h>

#include "core/error.hpp"

namespace tayra {
namespace {

std::vector<std::byte> shuffled(std::span<const std::byte> numbers, std::size_t bytes_per_number) {
  std::vector<std::byte> out(numbers.size());
  std::byte* next = out.data();
  for (std::size_t byte = 0; byte < bytes_per_number; ++byte)
    for (std::size_t i = byte; i < numbers.size(); i += bytes_per_number) *next++ = numbers[i];
  return out;
}

}  // namespace

std::vector<std::byte> shuffled_and_deflated(std::span<const std::byte> numbers,
                                             std::size_t bytes_per_number) {
  const auto plain = shuffled(numbers, bytes_per_number);
  std::vector<std::byte> packed(plain.size());
  uLongf bytes = packed.size();
  const int result =
      compress2(reinterpret_cast<Bytef*>(packed.data()), &bytes, reinterpret_cast<const Bytef*>(plain.data()),
                plain.size(), int(deflate_level));
  require(result == Z_OK || result == Z_BUF_ERROR, ExitCode::failed, "cannot compress a plane (zlib)");
  if (result != Z_OK || bytes >= plain.size()) return plain;
  packed.resize(bytes);
  return packed;
}

}  // namespace tayra
