// Prints the dynamic shared memory of each sweep kernel, in bytes; needs no GPU.
#include <cstdio>
#include <string>

#include "physics/schemes.hpp"
#include "solver/sweep_cuda.cuh"

namespace tayra {
namespace {

template <class Scheme, class Real, Positivity positivity, Tile tile>
void print(const char* which) {
  constexpr bool is_there = tile.kind == TileKind::square ? has_square_tile<Scheme, Real, tile.gpu>
                            : tile.kind == TileKind::flat ? has_tall_tile<Scheme, Real, tile.gpu>
                                                          : true;
  if constexpr (is_there)
    std::printf("%s, %s: %d\n", Scheme::name, which, sweep_memory<Scheme, positivity, tile, Real>);
}

template <class Real, Positivity positivity, Tile tile, std::size_t... I>
void print_all(const char* which, std::index_sequence<I...>) {
  (print<std::tuple_element_t<I, Schemes>, Real, positivity, tile>(which), ...);
}

template <class Real, Tile tile>
void print_all(const char* precision, const char* of_tile) {
  constexpr auto all = std::make_index_sequence<scheme_count>();
  const auto which = [&](const char* limiter) {
    return std::string(precision) + ", limiter " + limiter + ", " + of_tile + ", " +
           std::to_string(shared_memory_of(tile.gpu) / 1024) + " KiB";
  };
  print_all<Real, Positivity::off, tile>(which("off").c_str(), all);
  print_all<Real, Positivity::on, tile>(which("on").c_str(), all);
}

template <GpuClass gpu>
void print_all() {
  print_all<double, Tile{TileKind::tall, gpu}>("double", "tall");
  print_all<double, Tile{TileKind::flat, gpu}>("double", "flat");
  print_all<double, Tile{TileKind::row, gpu}>("double", "row");
  print_all<float, Tile{TileKind::square, gpu}>("single", "square");
  print_all<float, Tile{TileKind::tall, gpu}>("single", "tall");
  print_all<float, Tile{TileKind::flat, gpu}>("single", "flat");
  print_all<float, Tile{TileKind::row, gpu}>("single", "row");
}

}  // namespace
}  // namespace tayra

int main() {
  tayra::print_all<tayra::GpuClass::kib100>();
  tayra::print_all<tayra::GpuClass::kib164>();
  tayra::print_all<tayra::GpuClass::kib228>();
}
