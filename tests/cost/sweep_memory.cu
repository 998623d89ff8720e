// Prints the dynamic shared memory of each sweep kernel, in bytes; needs no GPU.
#include <cstdio>
#include <string>

#include "physics/schemes.hpp"
#include "solver/sweep_cuda.cuh"

namespace tayra {
namespace {

template <class Scheme, class Real, Positivity positivity, TileKind tile>
void print(const char* which) {
  constexpr bool is_there = tile == TileKind::square ? has_square_tile<Scheme, Real>
                            : tile == TileKind::flat ? has_tall_tile<Scheme, Real>
                                                     : true;
  if constexpr (is_there)
    std::printf("%s, %s: %d\n", Scheme::name, which, sweep_memory<Scheme, positivity, tile, Real>);
}

template <class Real, Positivity positivity, TileKind tile, std::size_t... I>
void print_all(const char* which, std::index_sequence<I...>) {
  (print<std::tuple_element_t<I, Schemes>, Real, positivity, tile>(which), ...);
}

template <class Real, TileKind tile>
void print_all(const char* precision, const char* of_tile) {
  constexpr auto all = std::make_index_sequence<scheme_count>();
  const auto which = [&](const char* limiter) {
    return std::string(precision) + ", limiter " + limiter + ", " + of_tile;
  };
  print_all<Real, Positivity::off, tile>(which("off").c_str(), all);
  print_all<Real, Positivity::on, tile>(which("on").c_str(), all);
}

}  // namespace
}  // namespace tayra

int main() {
  using enum tayra::TileKind;
  tayra::print_all<double, tall>("double", "tall");
  tayra::print_all<double, flat>("double", "flat");
  tayra::print_all<double, row>("double", "row");
  tayra::print_all<float, square>("single", "square");
  tayra::print_all<float, tall>("single", "tall");
  tayra::print_all<float, flat>("single", "flat");
  tayra::print_all<float, row>("single", "row");
}
