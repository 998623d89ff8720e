// One slab of the box, some planes or some rows of them: its three fields on one device, its start, and what
// is read out of it.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "core/tree_sum.hpp"
#include "grid/decomposition.hpp"
#include "halo/transport.hpp"
#include "solver/engine.hpp"
#include "solver/placement.hpp"
#include "solver/staging.hpp"

namespace tayra {

/// u^n and the two stages between it and u^(n+1), numbered as halos know them.
enum class Field { u, stage_1, stage_2 };
constexpr int number_of(Field field) { return static_cast<int>(field); }

/// next = keep old + (1 - keep) (now + dt L(now))
struct StageOfStep {
  int number;
  Stage weights;
  Field old, now, next;
};

inline Beyond beyond(Boundary z, bool alone, bool at_wall) {
  if (!alone && (!at_wall || z == Boundary::periodic)) return Beyond::neighbour;
  return beyond_end(z);
}

/// Beyond a single cell lies what lies in it: fluxes, where they are computed all the same, are equal.
inline Boundary row_boundary(const Grid& grid, int axis) {
  return grid.varies_along(axis) ? grid.boundary[axis] : Boundary::outflow;
}

template <class Real>
State<Real> perturbation_state(const Primitive& p, const Background& background, double gamma) {
  const double kinetic =
      0.5 * p.density *
      ((p.velocity[0] * p.velocity[0] + p.velocity[1] * p.velocity[1]) + p.velocity[2] * p.velocity[2]);
  return {
      Real(p.density),
      {{Real(p.density * p.velocity[0]), Real(p.density * p.velocity[1]), Real(p.density * p.velocity[2])}},
      Real((p.pressure - background.pressure) / (gamma - 1) + kinetic)};
}

template <class Real>
std::unique_ptr<Engine<Real>> make_engine(const SolverSettings& settings, Device device,
                                          const Layout& layout) {
  const auto& names = scheme_names();
  const auto scheme = std::find(names.begin(), names.end(), settings.scheme);
  require(scheme != names.end(), ExitCode::bad_input, "there is no scheme '" + settings.scheme + "'");
  const EngineChoice choice{device, static_cast<int>(scheme - names.begin()),
                            settings.positivity ? Positivity::on : Positivity::off, layout};
  return device.kind == DeviceKind::cuda ? make_cuda_engine<Real>(choice) : make_cpu_engine<Real>(choice);
}

template <class Real>
class SlabFlow {
 public:
  SlabFlow(const SolverSettings& settings, const SlabRange& range, const RowRange& rows,
           Device device_of_slab)
      : grid_(settings.grid),
        gamma_(settings.gamma),
        range_(range),
        rows_(rows),
        gravity_at_rest_(settings.gravity),
        flow_{Gas<Real>(settings.gamma), ColumnGravity<Real>(settings.gravity, grid_.spacing(2))},
        engine_(make_engine<Real>(settings, device_of_slab, layout_of(settings, range.planes, rows))),
        background_(device(), range.planes + 2 * ghost_planes),
        boundary_swept_(device()),
        interior_swept_(device()),
        readers_(device()),
        read_(device()),
        copies_(device()),
        copied_(device()),
        staging_(device()) {
    const Layout layout = layout_of(settings, range.planes, rows);
    if (layout.scalars > 0) mass_ = Buffer<Real>(device(), MassFluxes<Real>::size(layout));
    const std::size_t words = layout.size() + row_block_bytes(settings, range.planes) / sizeof(Real);
    for (Buffer<Real>& field : fields_) field = Buffer<Real>(device(), words);
    const bool isolated = settings.halo == without_exchange;  // a slab by itself, with open ends
    const Boundary z = isolated ? Boundary::outflow : grid_.boundary[2];
    slab_ = {layout,
             range.first,
             beyond(z, has_all_planes() || isolated, range.first == 0),
             beyond(z, has_all_planes() || isolated, end() == grid_.cells[2]),
             row_boundary(grid_, 0),
             rows_in_box(isolated),
             spacing_of<Real>(grid_),
             background_.data() + ghost_planes};
    if (has_cut_rows()) clear_corners();
  }

  /// Of the steps that are enqueued from here on.
  void set_gravity(double gravity) {
    flow_.gravity = ColumnGravity<Real>(gravity_at_rest_, gravity, grid_.spacing(2));
  }

  Engine<Real>& engine() const { return *engine_; }
  Device device() const { return engine_->queue(SlabPart::interior).device(); }
  const SlabRange& range() const { return range_; }
  int end() const { return range_.first + range_.planes; }
  bool has_cut_rows() const { return rows_.rows < grid_.cells[1]; }
  bool has_all_planes() const { return range_.planes == grid_.cells[2]; }
  bool is_alone() const { return has_all_planes() && !has_cut_rows(); }

  HaloSlab halo_slab() const {
    HaloSlab slab{{}, &engine_->queue(SlabPart::boundary), engine_.get()};
    for (int field = 0; field < rotating_fields; ++field)
      slab.fields[field] = reinterpret_cast<std::byte*>(fields_[field].data());
    return slab;
  }

  /// Returns the start's fastest signal.
  double fill(const Problem& problem, const PlaneBackgrounds& box_background) {
    fill_background(box_background);
    std::vector<Real> plane(variables() * slab_.layout.cells_of_plane());
    double rate = 0;
    for (int k = 0; k < range_.planes; ++k) {
      const int z = range_.first + k;
      rate = std::max(rate, start_plane(z, problem, box_background[z], plane));
      put_rows(k, reinterpret_cast<const std::byte*>(plane.data()), row_bytes());
    }
    return rate;
  }

  /// Becomes as many other planes of the box, whose ends are open where the box goes on beyond them. Of a
  /// periodic box they may reach beyond its ends.
  void move_to(int first, const PlaneBackgrounds& box_background) {
    range_.first = slab_.first_plane = first;
    const Boundary z = grid_.boundary[2];
    const auto at_end = [&](bool of_box) {
      return beyond(is_alone() || (of_box && z != Boundary::periodic) ? z : Boundary::outflow, true, of_box);
    };
    slab_.below = at_end(first == 0);
    slab_.above = at_end(end() == grid_.cells[2]);
    fill_background(box_background);
  }

  /// Both parts of a stage read what both wrote in the stage before; neither waits for more than that.
  /// Stores its planes into the neighbours' ghosts, too, where these are given.
  void sweep_boundary(const StageOfStep& stage, const PeerGhosts& ghosts) const {
    if (stage.number == 0) {
      fork(engine_->queues());
    } else {
      engine_->queue(SlabPart::boundary).wait(interior_swept_);
      engine_->queue(SlabPart::interior).wait(boundary_swept_);
    }
    const Planes inner = inner_planes();
    if (!has_all_planes())
      sweep(stage, boundary_planes(range_.planes), SlabPart::boundary, all_rows(), ghosts);
    if (has_cut_rows() && has_inner_rows()) {
      sweep(stage, inner, SlabPart::boundary, {0, boundary_rows});
      sweep(stage, inner, SlabPart::boundary, {rows_.rows - boundary_rows, rows_.rows});
    } else if (has_cut_rows()) {
      sweep(stage, inner, SlabPart::boundary);
    }
    boundary_swept_.record(engine_->queue(SlabPart::boundary));
  }
  void sweep_interior(const StageOfStep& stage) const {
    const Planes inner = inner_planes();
    if (!has_cut_rows())
      sweep(stage, inner, SlabPart::interior);
    else if (has_inner_rows())
      sweep(stage, inner, SlabPart::interior, {boundary_rows, rows_.rows - boundary_rows});
    interior_swept_.record(engine_->queue(SlabPart::interior));
  }

  /// All planes in one queue. From the second stage on it may wait for its neighbours' planes itself.
  void sweep_whole(const StageOfStep& stage, const PeerGhosts& ghosts, bool may_wait) const {
    if (stage.number == 0 && !may_wait) fork(engine_->queues());
    const bool waits = may_wait && stage.number > 0;
    sweep(stage, all_planes(range_.planes), whole_part(), all_rows(), ghosts,
          waits ? ghosts.awaited : AwaitedGhosts{});
  }
  SlabPart whole_part() const { return is_alone() ? SlabPart::interior : SlabPart::boundary; }

  /// Of whole planes or what branches its rows make up: [plane][branch].
  std::vector<PlaneSums> plane_sums(Sums which, const Layers& layers, Field of = Field::u) const {
    return engine_->sum_planes(flow_view(of), which, layers);
  }

  /// Sums over planes, [plane][profile], or of cut rows over their tiles: [plane][tile][profile].
  std::vector<double> profile_sums(const Layers& layers) const {
    return engine_->sum_profiles(flow_view(), layers,
                                 has_cut_rows() ? ProfilesOf::tiles : ProfilesOf::planes);
  }

  /// Of those planes of the box that lie here, in that order: [plane][field][shell].
  std::vector<double> wave_sums(const WavePlan& plan, const std::vector<PlaneField>& fields,
                                const std::vector<int>& planes, const Layers& layers) const {
    return engine_->sum_waves({flow_view(), layers}, plan, wave_items(fields, planes_here(planes)));
  }
  std::vector<std::int64_t> counts(const CountedField& what, const std::vector<int>& planes,
                                   const Layers& layers) const {
    return engine_->count_cells({flow_view(), layers}, what, planes_here(planes));
  }

  /// Conserved state of a plane of the box that lies in this slab.
  void read_plane(int z, const Background& background, double* to) const {
    const std::size_t cells = slab_.layout.cells_of_plane(), of_box = cells_of_box_plane();
    std::vector<Real> raw(variables() * cells);
    const Queue& queue = engine_->queue(SlabPart::interior);
    copy_rows_out(queue, z - range_.first, 1, reinterpret_cast<std::byte*>(raw.data()), row_bytes());
    queue.synchronize();
    const double background_energy = background.pressure / (gamma_ - 1);
    to += std::size_t(rows_.first) * grid_.cells[0];
    for (int variable = 0; variable < variables(); ++variable)
      for (std::size_t i = 0; i < cells; ++i)
        to[variable * of_box + i] =
            static_cast<double>(raw[variable * cells + i]) + (variable == 4 ? background_energy : 0);
  }

  /// Where the planes of a field begin in the device's memory, without ghosts.
  std::byte* planes(Field which) const {
    return reinterpret_cast<std::byte*>(field(which).data() + slab_.layout.plane_start(0));
  }
  /// Of the whole box.
  std::size_t plane_bytes() const { return variables() * cells_of_box_plane() * sizeof(Real); }

  /// Its rows of a plane of the box, among others.
  void set_plane(int z, const std::byte* from, const RowRange& of) const {
    put_rows(z - range_.first, from + bytes_before(of), bytes_of_rows(of.rows));
  }

  /// Copies its rows of planes of the box, all enqueued before included, on a queue of its own, to their
  /// places among others.
  Arrival::Done start_copy(int first, int count, std::byte* to, const RowRange& of) {
    follow_flow(copies_);
    copy_rows_out(copies_, first - range_.first, count, to + bytes_before(of), bytes_of_rows(of.rows));
    copied_.record(copies_);
    return happened(copies_);
  }

  /// Likewise: computes the fields of this slab's share of a block into their place there.
  Arrival::Done start_fields(const FieldChoice& choice, PlaneRange block, PlaneRange share, std::byte* to) {
    follow_flow(readers_);
    const Arrival::Done done = put_fields(choice, field_work(choice, block, share, to));
    read_.record(readers_);
    return done;
  }
  /// Likewise where numbers are sums along y of which the slab has some terms: each branch that these make up
  /// as a row of planes of so many, behind those of other slabs.
  Arrival::Done start_branches(const FieldChoice& choice, PlaneRange block, PlaneRange share,
                               int other_branches, int branches_of_plane, std::byte* to) {
    follow_flow(readers_);
    const AxisSelection& y = choice.axes[1];
    const RowRange terms_here = selected_among(y, rows_);
    for_each_branch(terms_here.first, terms_here.first + terms_here.rows, [&](int first, int terms) {
      FieldChoice branch = choice;
      branch.axes[1] = {y.at(first), terms, y.stride};
      FieldWork<Real> work = field_work(branch, block, share, to, branches_of_plane);
      work.rows_before = other_branches++;
      work.rows_of_plane = branches_of_plane;
      engine_->put_fields(work, Memory::pinned, readers_);
    });
    read_.record(readers_);
    return happened(readers_);
  }
  /// Sweeps enqueued from here on wait for the fields and copies that are made from u.
  void follow_copies() const {
    for (const SlabPart part : {SlabPart::boundary, SlabPart::interior}) {
      engine_->queue(part).wait(read_);
      engine_->queue(part).wait(copied_);
    }
  }

 private:
  /// Rows along y whose planes' boundary is swept first: a GPU's tiles are as high, or higher.
  static constexpr int boundary_rows = 16;

  /// Those that are no boundary of planes: all, where no slab lies above or below.
  Planes inner_planes() const {
    return has_all_planes() ? all_planes(range_.planes) : interior_planes(range_.planes);
  }
  bool has_inner_rows() const { return rows_.rows >= 3 * boundary_rows; }
  PlaneRange all_rows() const { return {0, rows_.rows}; }

  RowsInBox rows_in_box(bool isolated) const {
    const int of_box = grid_.cells[1];
    if (!has_cut_rows()) return RowsInBox::all(of_box, row_boundary(grid_, 1));
    const auto beyond_rows = [&](bool at_wall) {
      return beyond(isolated ? Boundary::outflow : grid_.boundary[1], isolated, at_wall);
    };
    return {rows_.first, of_box, beyond_rows(rows_.first == 0),
            beyond_rows(rows_.first + rows_.rows == of_box)};
  }

  /// Of some of its rows: as a slab whose neighbours' rows lie beside its own in memory.
  Slab<Real> slab_of_rows(const PlaneRange& rows) const {
    Slab<Real> part = slab_;
    part.layout.ny = rows.count();
    part.layout.other_rows += rows_.rows - rows.count();
    part.y.first += rows.begin;
    if (rows.begin > 0) part.y.below = Beyond::neighbour;
    if (rows.end < rows_.rows) part.y.above = Beyond::neighbour;
    return part;
  }

  /// Of whole planes, in the neighbours' ghosts.
  EdgeCopies<Real> copies_in(const PeerGhosts& ghosts) const {
    const auto first_row = [&](std::byte* plane) {
      return plane == nullptr ? nullptr : reinterpret_cast<Real*>(plane) + cells_before_rows();
    };
    return {first_row(ghosts.below), first_row(ghosts.above)};
  }
  void sweep(const StageOfStep& stage, Planes planes, SlabPart part) const {
    sweep(stage, planes, part, all_rows());
  }
  void sweep(const StageOfStep& stage, Planes planes, SlabPart part, const PlaneRange& rows,
             const PeerGhosts& ghosts = {}, const AwaitedGhosts& awaited = {}) const {
    if (planes.low.count() + planes.high.count() == 0) return;
    const std::size_t first = static_cast<std::size_t>(rows.begin) * grid_.cells[0];
    Sweep<Real> sweep{slab_of_rows(rows),
                      flow_,
                      stage.weights,
                      first_row(stage.old) + first,
                      first_row(stage.now) + first,
                      first_row(stage.next) + first,
                      engine_->clock(),
                      planes,
                      copies_in(ghosts),
                      awaited};
    if (slab_.layout.scalars > 0) sweep.mass = {mass_.data(), slab_.layout, rows.begin};
    engine_->sweep(sweep, part, stage.number);
    if (slab_.layout.scalars > 0) engine_->carry(sweep, part, stage.number);
  }

  FlowView<Real> flow_view(Field of = Field::u) const {
    return {slab_, first_row(of), gamma_, {{grid_.spacing(0), grid_.spacing(1), grid_.spacing(2)}}};
  }
  /// Counted from the slab's first.
  std::vector<int> planes_here(const std::vector<int>& planes) const {
    std::vector<int> here;
    for (const int z : planes)
      if (z >= range_.first && z < end()) here.push_back(z - range_.first);
    return here;
  }
  void follow_flow(const Queue& queue) const {
    queue.follow(engine_->queue(SlabPart::interior));
    queue.follow(engine_->queue(SlabPart::boundary));
  }
  Arrival::Done happened(const Queue& queue) const {
    const auto done = std::make_shared<const Event>(device());
    done->record(queue);
    return done;
  }

  /// By way of spare memory of the device, where there is some: then the flow can go on at once.
  Arrival::Done put_fields(const FieldChoice& choice, const FieldWork<Real>& work) {
    const auto left = std::make_shared<const Event>(device());
    // Of cut rows what would come from there is not in one piece.
    std::byte* staged = has_cut_rows() ? nullptr : staging_.take(work.z.count * choice.plane_bytes(), left);
    if (staged == nullptr) {
      engine_->put_fields(work, Memory::pinned, readers_);
      return happened(readers_);
    }
    FieldWork<Real> beside = work;
    for (int i = 0; i < work.count; ++i) {
      beside.targets[i].out = staged;
      staged += work.z.count * choice.plane_bytes(i);
    }
    engine_->put_fields(beside, Memory::device, readers_);
    copies_.follow(readers_);
    for (int i = 0; i < work.count; ++i)
      copies_.copy(work.targets[i].out, beside.targets[i].out, work.z.count * choice.plane_bytes(i));
    left->record(copies_);
    return left;
  }

  /// Of planes that are summed up, all of a block lie in one slab.
  FieldWork<Real> field_work(const FieldChoice& choice, PlaneRange block, PlaneRange share, std::byte* to,
                             int times_a_plane = 1) const {
    const auto [x, y, z] = choice.axes;
    const RowRange rows = selected_among(y, rows_);
    AxisSelection of_axes[] = {x,
                               {y.at(rows.first) - rows_.first, rows.rows, y.stride},
                               {z.at(share.begin) - range_.first, share.count(), z.stride}};
    int terms = 1, apart = 1;
    if (choice.summed >= 0) {
      AxisSelection& summed = of_axes[choice.summed];
      terms = summed.count;
      apart = summed.stride;
      summed = {summed.first, 1, 1};
    }
    FieldWork<Real> work{flow_view(), of_axes[0],       of_axes[1],
                         of_axes[2],  choice.precision, static_cast<int>(choice.fields.size()),
                         {},          choice.summed,    terms,
                         apart};
    if (has_cut_rows()) work.rows_before = rows.first, work.rows_of_plane = y.count;
    const int planes = choice.summed == 2 ? 1 : block.count();
    for (int i = 0; i < work.count; ++i) {
      const std::size_t plane = times_a_plane * choice.plane_bytes(i);
      work.targets[i] = {choice.fields[i], to + (share.begin - block.begin) * plane};
      to += planes * plane;
    }
    return work;
  }

  int variables() const { return field_variables + slab_.layout.scalars; }
  std::size_t cells_of_box_plane() const { return static_cast<std::size_t>(grid_.cells[0]) * grid_.cells[1]; }
  std::size_t row_bytes() const { return slab_.layout.cells_of_plane() * sizeof(Real); }
  std::size_t bytes_of_rows(int rows) const {
    return static_cast<std::size_t>(rows) * grid_.cells[0] * sizeof(Real);
  }
  std::size_t bytes_before(const RowRange& of) const { return bytes_of_rows(rows_.first - of.first); }
  std::size_t rows_apart() const { return slab_.layout.variable_stride() * sizeof(Real); }

  /// Its rows of a plane, variable by variable so far apart.
  void put_rows(int k, const std::byte* from, std::size_t apart) const {
    const Queue& queue = engine_->queue(SlabPart::interior);
    queue.copy_pieces(plane_address(k), rows_apart(), from, apart, row_bytes(), variables());
    queue.synchronize();
  }
  /// Of so many planes.
  void copy_rows_out(const Queue& queue, int k, int count, std::byte* to, std::size_t apart) const {
    if (!has_cut_rows()) return queue.copy(to, plane_address(k), count * plane_bytes());
    queue.copy_pieces(to, apart, plane_address(k), rows_apart(), row_bytes(),
                      static_cast<std::size_t>(count) * variables());
  }

  const Buffer<Real>& field(Field which) const { return fields_[number_of(which)]; }
  /// Ghosts, where its rows are cut.
  int cells_before_rows() const { return has_cut_rows() ? ghost_rows * grid_.cells[0] : 0; }
  /// Of its first plane in memory.
  Real* first_row(Field which) const { return field(which).data() + cells_before_rows(); }
  Real* plane_address(int k) const { return first_row(Field::u) + slab_.layout.plane_start(k); }

  /// Ghost rows of ghost planes, which sweeps on a GPU fetch with others and never use; and those of the
  /// planes that travel, which the first exchange sends before they have arrived.
  void clear_corners() {
    const std::size_t bytes = bytes_of_rows(ghost_rows), pieces = 2 * ghost_planes * variables();
    const std::vector<std::byte> nothing(bytes * pieces);
    const Queue& queue = engine_->queue(SlabPart::interior);
    for (const Buffer<Real>& of : fields_)
      for (const int plane : {-ghost_planes, range_.planes - ghost_planes})
        for (const int row : {0, ghost_rows + rows_.rows})
          queue.copy_pieces(of.data() + slab_.layout.plane_start(plane) + row * grid_.cells[0], rows_apart(),
                            nothing.data(), bytes, bytes, pieces);
    queue.synchronize();
  }

  void fill_background(const PlaneBackgrounds& box_background) {
    std::vector<PlaneBackground<Real>> planes;
    for (int k = -ghost_planes; k < range_.planes + ghost_planes; ++k) {
      const Background& from =
          box_background[ghost_source(range_.first + k, grid_.cells[2], grid_.boundary[2]).index];
      planes.push_back({Real(from.density), Real(from.pressure)});
    }
    engine_->queue(SlabPart::interior).copy(background_.data(), planes.data(), background_.bytes());
    engine_->queue(SlabPart::interior).synchronize();
  }

  /// Returns the fastest signal in its rows.
  double start_plane(int z, const Problem& problem, const Background& background,
                     std::vector<Real>& plane) const {
    const std::size_t stride = slab_.layout.cells_of_plane();
    double rate = 0;
    int first_without_gas = grid_.cells[0] * grid_.cells[1];  // of the plane's cells
#pragma omp parallel for reduction(max : rate) reduction(min : first_without_gas)
    for (int y = rows_.first; y < rows_.first + rows_.rows; ++y)
      for (int x = 0; x < grid_.cells[0]; ++x) {
        const Primitive start = problem.initial(grid_.point(x, y, z));
        if (!is_gas(start)) first_without_gas = std::min(first_without_gas, y * grid_.cells[0] + x);
        const State<Real> state = perturbation_state<Real>(start, background, gamma_);
        Real* to = plane.data() + std::size_t(y - rows_.first) * grid_.cells[0] + x;
        to[0] = state.density;
        for (int i = 0; i < 3; ++i) to[(1 + i) * stride] = state.momentum[i];
        to[4 * stride] = state.energy;
        for (int i = 0; i < slab_.layout.scalars; ++i)
          to[(field_variables + i) * stride] = Real(start.scalars[i]);
        const Cell<Real> cell = make_cell(state, Real(background.pressure), flow_.gas);
        rate = std::max(rate, static_cast<double>(signal_rate(cell, slab_.spacing.crossed)));
      }
    if (first_without_gas < grid_.cells[0] * grid_.cells[1]) {
      const std::array<int, 3> cell{first_without_gas % grid_.cells[0], first_without_gas / grid_.cells[0],
                                    z};
      throw Error(ExitCode::bad_input,
                  "problem: " + no_gas(problem.initial(grid_.point(cell[0], cell[1], z)), grid_, cell));
    }
    return rate;
  }

  Grid grid_;
  double gamma_;
  SlabRange range_;
  RowRange rows_;
  double gravity_at_rest_;
  FlowConstants<Real> flow_;
  std::unique_ptr<Engine<Real>> engine_;
  Buffer<PlaneBackground<Real>> background_;
  std::array<Buffer<Real>, rotating_fields> fields_;
  Buffer<Real> mass_;  // through faces, where scalars are carried
  Slab<Real> slab_;
  Event boundary_swept_, interior_swept_;
  Queue readers_;  // of the flow, for files
  Event read_;
  Queue copies_;
  Event copied_;
  Staging staging_;
};

}  // namespace tayra
