// The scalars' stage on a CPU: row by row, by SIMD packs where a row has no end near.
#include <algorithm>

#include "core/simd.hpp"
#include "solver/carry.hpp"

namespace tayra {
namespace {

/// A row of one scalar.
template <class Real>
class CarriedRow {
 public:
  CarriedRow(const Carry<Real>& carry, int scalar, int y, int k)
      : sweep_(carry.sweep),
        layout_(sweep_.slab.layout),
        around_(rows_around(carry, scalar, y, k)),
        mass_(mass_rows(carry, y, k)),
        length_(carry.length()),
        density_(row_of(sweep_.u, 0, y, k)),
        next_density_(row_of(sweep_.next, 0, y, k)),
        old_(row_of(sweep_.u_old, carry.scalar_start(scalar), y, k)),
        next_(const_cast<Real*>(row_of(sweep_.next, carry.scalar_start(scalar), y, k))) {}

  void carry() const {
    constexpr int lanes = Pack<Real>::size(), reach = ghost_planes;
    int x = 0;
    for (; x < std::min(reach, layout_.nx); ++x) carry_cell(x);
    for (; x + lanes + reach <= layout_.nx; x += lanes) carry_pack(x);
    for (; x < layout_.nx; ++x) carry_cell(x);
  }

 private:
  const Real* row_of(const Real* field, std::size_t variable_start, int y, int k) const {
    return field + layout_.plane_start(k) + variable_start + std::size_t(y) * layout_.nx;
  }

  TAYRA_HD void carry_pack(int x) const {
    using N = Pack<Real>;
    const Real* row = around_.along_y[2] + x;
    store(after<N>([&](const Real* from) { return load(from + x); }, load(mass_.x + x - 1),
                   {load(row - 2), load(row - 1), load(row), load(row + 1), load(row + 2)}),
          next_ + x);
  }
  void carry_cell(int x) const {
    const Real* row = around_.along_y[2];
    const auto beside = [&](int on) { return row[ghost_source(x + on, layout_.nx, sweep_.slab.x).index]; };
    next_[x] = after<Real>([&](const Real* from) { return from[x]; }, x == 0 ? mass_.first_x : mass_.x[x - 1],
                           {beside(-2), beside(-1), beside(0), beside(1), beside(2)});
  }

  template <class N>
  struct InARow {
    N cells[5];
  };
  template <class N, class At>
  TAYRA_HD N after(const At& at, const N& lower_x, const InARow<N>& x) const {
    const auto through = [&](const N& lower, const N& upper, const N(&c)[5]) {
      return carried_through<N>(lower, upper, c[0], c[1], c[2], c[3], c[4]);
    };
    const auto &y = around_.along_y, &z = around_.along_z;
    const CarriedThrough<N> faces[3] = {
        through(lower_x, at(mass_.x), x.cells),
        through(at(mass_.lower_y), at(mass_.upper_y), {at(y[0]), at(y[1]), at(y[2]), at(y[3]), at(y[4])}),
        through(at(mass_.lower_z), at(mass_.upper_z), {at(z[0]), at(z[1]), at(z[2]), at(z[3]), at(z[4])})};
    const Real keep = sweep_.stage.keep;
    return fraction_after<N>(x.cells[2], at(old_), {at(density_), at(next_density_), keep}, faces, length_);
  }

  const Sweep<Real>& sweep_;
  const Layout& layout_;
  const RowsAround<Real> around_;
  const MassRows<Real> mass_;
  const CarryingLength<Real> length_;
  const Real *density_, *next_density_, *old_;
  Real* next_;
};

}  // namespace

template <class Real>
void carry_on_cpu(const Carry<Real>& carry) {
  const Sweep<Real>& sweep = carry.sweep;
  const Layout& layout = sweep.slab.layout;
  const auto carry_plane_row = [&](int y, int k) {
    for (int scalar = 0; scalar < layout.scalars; ++scalar) CarriedRow<Real>(carry, scalar, y, k).carry();
  };
  for (const PlaneRange& range : {sweep.planes.low, sweep.planes.high})
#pragma omp parallel for collapse(2) schedule(static)
    for (int k = range.begin; k < range.end; ++k)
      for (int y = 0; y < layout.ny; ++y) carry_plane_row(y, k);
}

template void carry_on_cpu(const Carry<float>&);
template void carry_on_cpu(const Carry<double>&);

}  // namespace tayra
