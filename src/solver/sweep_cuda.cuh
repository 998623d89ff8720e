// The stage sweep on a GPU: a block streams a tile of x-y up z with three planes of cells in shared memory,
// and the states of the plane after them on their way there. A thread owns a few rows of its column of the
// tile and computes the upper faces of its cells along each axis once; fluxes never leave the chip. Reads per
// cell and stage: u once plus the tile's apron (from L2), u_old once; with the write 10 words in the first
// stage, which needs no u_old, and 15 in the others. How fast that is, and why: docs/performance.md.
#pragma once

#include <cuda_runtime.h>

#include <set>
#include <utility>

#include "core/cuda_check.hpp"
#include "core/cuda_launch.cuh"
#include "core/cuda_signal.cuh"
#include "halo/await_ghosts.cuh"
#include "solver/deferred.cuh"
#include "solver/smooth_watch.cuh"
#include "solver/sweep_tile.cuh"
#include "solver/z_stream_plan.cuh"
#include "solver/z_stream_supply.cuh"

namespace tayra {

/// What a z-stream (a block's way up some planes of a tile's columns) does about the positivity limiter. It
/// checks every face, or watches where flow is smooth and checks the others alone: less to do for a plane and
/// more to begin with. Cells beside a face that wants the limiter are deferred: its code would cost z-streams
/// that meet no such face registers and time.
enum class Limiting { none, check, watch };

constexpr Positivity positivity_of_faces(Limiting limiting) {
  return limiting == Limiting::check ? Positivity::on : Positivity::off;
}

/// One block's z-stream up its planes.
template <class Scheme, Limiting limiting, Tile tile, class Real>
class ZStream {
  using Shape = TileShape<Scheme, Real, tile>;
  using Kept = KeptCell<Scheme, positivity_of_faces(limiting), Shape::keeps_reciprocals>;

 public:
  using Memory = TileMemory<Scheme, Real, tile, Kept>;

 private:
  using Watch = SmoothWatch<Scheme, Memory, Real>;
  static constexpr int rows = Shape::rows;
  static constexpr int pitch = Memory::pitch;
  static constexpr bool defers = limiting != Limiting::none;

 public:
  __device__ __forceinline__ ZStream(const Sweep<Real>& sweep, const ZStreamPlace& place,
                                     unsigned char* shared)
      : sweep_(sweep),
        slab_(sweep.slab),
        planes_(place.planes),
        tile_(*reinterpret_cast<Memory*>(shared)),
        supply_(sweep, place, tile_, thread_),
        watch_(tile_, sweep_.flow.gas, thread_.warp(), thread_.lane()),
        place_(Memory::place(thread_.x, thread_.y)),
        above_place_(place_ + Memory::plane),
        coming_place_(above_place_ + Memory::plane) {}

  /// What a z-stream begins with that no kernel ahead has written.
  struct Ground {
    int of_apron;                   // where a lane's cell of the apron lies within one variable of a plane
    Source planes[4];               // of the first stencils along z
    Real pressures[4];              // of the background there
    Real densities[2];              // of the background's first and last plane
    PlaneBackground<Real> of_lane;  // that of a plane which the first round asks for
  };
  /// Finds where a lane's cells come from, which costs no time while the kernel ahead still runs.
  __device__ __forceinline__ Ground prepare() {
    const int first = planes_.begin;
    if (threadIdx.x == 0) tile_.plane_done.begin(Shape::threads);
    if constexpr (defers) tile_.marks.begin();
    Ground ground;
    ground.of_lane = slab_.background[plane_of_lane()];
    ground.densities[0] = slab_.background[first].density;
    ground.densities[1] = slab_.background[planes_.end - 1].density;
    supply_.find_own();
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      ground.planes[n] = plane_source(first - 2 + n, slab_);
      ground.pressures[n] = pressure(first - 2 + n);
      opaque(ground.planes[n].index);
    }
    ground.of_apron = supply_.find_apron_cell();
    return ground;
  }

  /// Up to the first plane. A thread's own cells of the planes above are read by itself alone: no barrier
  /// guards them.
  __device__ __forceinline__ void begin(const Ground& ground, double dt) {
    const int first = planes_.begin;
    const auto& [of_apron, planes, pressures, densities, background] = ground;
    // All own cells are on their way before the first is waited for.
    State<Real> loaded[4][rows];
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int n = 0; n < 4; ++n) loaded[n][r] = supply_.load(planes[n], supply_.offset(r));
    // Of a z-stream of one plane nobody reads the apron above.
    const bool has_plane_above = Shape::tall || planes_.count() > 1;
    State<Real> apron_states[2]{};
    const auto load_apron = [&, of_apron = of_apron] {
      apron_states[0] = supply_.load(planes[2], of_apron);
      if (has_plane_above) apron_states[1] = supply_.load(planes[3], of_apron);
    };
    if constexpr (!Shape::apron_comes_later) load_apron();
    supply_.copy_coming_ahead(first, 0);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const auto seen = [&](int n) {
        flip(loaded[n][r], (planes[n].flipped ? 4 : 0) | supply_.own_flips(r));
        if constexpr (limiting == Limiting::watch) watch_.gather(loaded[n][r], pressures[n]);
        return kept_cell(loaded[n][r], pressures[n]);
      };
      const Cell<Real> below = seen(1), here = seen(2), above = seen(3), far_below = seen(0);
      tile_.put(place_ + r * pitch, here);
      tile_.put(above_place_ + r * pitch, above);
      if constexpr (Shape::apron_comes_later)
        if (r == 0) {
          __syncwarp();  // else the compiler joins the bursts
          load_apron();
        }
      begin_row(r, {far_below, below, here, above});
    }
    supply_.copy_for_update_ahead();  // not before: the first fluxes wait for other loads
    if (thread_.has_apron_cell()) {
      const auto put_first = [&](int n, int place) {
        if constexpr (limiting == Limiting::watch) watch_.gather(apron_states[n], pressures[2 + n]);
        put_apron(apron_cell(apron_states[n], pressures[2 + n]), place);
      };
      put_first(0, place_);
      if (has_plane_above) put_first(1, above_place_);
    }
    if constexpr (limiting == Limiting::watch) {
      for (int n = 1; n < 4; ++n) watch_.see_backgrounds(pressures[n - 1], pressures[n]);
      watch_.share_first_planes();
    }
    // Of later planes it comes by copies.
    if (thread_.warp() == 0 && thread_.lane() <= 2) tile_.background_of(plane_of_lane()) = background;
    length_ = step_length<Scheme, Real>(dt, slab_.spacing);
    __syncthreads();
    if constexpr (limiting == Limiting::watch) {
      watch_.surround_first_planes(first, densities, pressures[2] != 0);
      if (watch_.is_troubled(first)) check_below(pressures[2]);
    }
    if (Shape::edge_faces_ahead && takes_edge_faces(first))
      put_first_flux(tile_.faces[0], first, first_flux(first, place_, pressures[2]));
  }

  /// Sweeps the planes from the first up, after begin().
  __device__ __forceinline__ void run() {
    for (int k = planes_.begin; k < planes_.end; ++k) {
      const unsigned round = k - planes_.begin, parity = round % 2;
      typename Memory::Faces& faces = tile_.faces[parity];
      stream_up(k);
      cross(faces);
      if constexpr (limiting == Limiting::watch) watch(k);
      if constexpr (Shape::carries) leave_mass(k);
      if (!Shape::edge_faces_ahead && takes_edge_faces(k))
        put_first_flux(faces, k, first_flux(k, place_, pressure_));
      if (defers && __any_sync(~0u, flagged_.any())) {
        cold_call<Shape>([flagged = flagged_, &marks = tile_.marks, k, parity, inside = supply_.inside()] {
          flagged.mark(marks, k, parity, inside);
        });
        flagged_.step_up();
      }
      tile_.plane_done.arrive();
      if constexpr (loads_updated) request_updated();
      const bool takes_ahead = Shape::edge_faces_ahead && k + 1 < planes_.end && takes_edge_faces(k + 1);
      State<Real> ahead;
      if (takes_ahead) {
        ahead = first_flux(k + 1, above_place_, tile_.background_of(k + 1).pressure);
        materialize(ahead);  // rather than behind the wait
      }
      take_from_west();
      tile_.plane_done.wait(round);
      // Not before: a warp that is late may still read those of plane k - 1 there.
      if (takes_ahead) put_first_flux(tile_.faces[1 - parity], k + 1, ahead);
      const State<Real> south = take_south(faces);
      if constexpr (limiting == Limiting::watch)
        watch_.move_bounds(k, planes_, slab_.background, above_place_);
      unsigned left_out = 0;
      if (defers && tile_.marks.plane[parity] == k)
        left_out = defer<Shape>(tile_.marks, thread_, sweep_, supply_.tile_row(), k, parity);
      update(k, faces, south, left_out);
      step_up();
      if (k + 1 < planes_.end) supply_.copy_for_update_ahead();
    }
    wait_for_copies();  // which write to memory that the next block may get
  }

  /// After run(): of its cells those that it has deferred, and what it has found.
  __device__ __forceinline__ void finish() {
    if constexpr (defers) {
      const int first = tile_.marks.first_plane;
      if (first < planes_.end) {
        __syncthreads();  // the work takes the tile's place
        if (threadIdx.x == 0) {
          tile_.plane_done.end();
          atomicAdd(&sweep_.clock->found.limited_faces,
                    static_cast<unsigned long long>(tile_.marks.limited_faces));
        }
        signal_rate_ = larger<Real>(
            signal_rate_, do_deferred<Scheme, Shape>(sweep_, {supply_.tile_row(), {first, planes_.end}},
                                                     reinterpret_cast<unsigned char*>(&tile_)));
      }
    }
    report_signal_rate(sweep_.clock, static_cast<double>(signal_rate_));
  }

 private:
  /// Row r of the thread's: the flux through the face below it in the first plane.
  __device__ __forceinline__ void begin_row(int r, const Stencil<Real>& column) {
    const FaceFlux<Real> below = stream_flux<2>(column);
    below_[r] = below.flux;
    if constexpr (limiting == Limiting::check) flagged_.add_below(r, below.flagged);
    if constexpr (Shape::carries)
      if (r < supply_.inside() && sweep_.begins_with(planes_.begin))
        sweep_.mass.below(planes_.begin)[supply_.offset(r)] = below.flux.density;
    here_[r] = column.left;
    handed_[r] = handed_on<Scheme, Real>(column.left, column.right, column.far_right);
  }

  /// Through the upper faces of the cells of plane k; deferred ones leave it anew.
  __device__ __forceinline__ void leave_mass(int k) const {
    Real* const x = sweep_.mass.upper(0, k);
    const std::size_t cells = sweep_.mass.apart();
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if (r >= supply_.inside()) continue;
      Real* const mass = x + supply_.offset(r);
      __stcs(mass, east_[r].density);
      if constexpr (Shape::has_y_faces) __stcs(mass + cells, north_[r].density);
      __stcs(mass + 2 * cells, below_[r].density);  // that above, by now
    }
  }
  /// Through the box's lowest faces along an axis; `other` counts along the other one.
  __device__ __forceinline__ void leave_first_mass(int axis, int k, int r, const State<Real>& flux) const {
    if (r < supply_.inside())
      sweep_.mass.first(axis, k)[axis == 0 ? supply_.tile_row() * Shape::height + thread_.y + r
                                           : blockIdx.x * Shape::width + thread_.x] = flux.density;
  }

  /// Asks the faces below the z-stream's first plane. In line: what a call put aside in memory would come
  /// back behind the copies that are under way.
  __device__ __forceinline__ void check_below(Real pressure) {
#pragma unroll
    for (int r = 0; r < rows; ++r)
      flagged_.add_below(r, Watch::template wants_limiter<2>(sweep_.flow.gas, below_[r], here_[r],
                                                             take(place_ + r * pitch, pressure)));
  }
  /// Asks the faces of plane k unless all four planes of their stencils are smooth.
  __device__ __forceinline__ void watch(int k) {
    if (!watch_.is_troubled_up_to_the_newest_plane(k)) return;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const int place = place_ + r * pitch;
      flagged_.template add<2>(r, wants_limiter<2>(below_[r], k, place, above_place_ + r * pitch));
      flagged_.template add<1>(r, wants_limiter<1>(north_[r], k, place, place + pitch));
      flagged_.template add<0>(r, wants_limiter<0>(east_[r], k, place, place + 1));
    }
  }
  /// A face of plane k, between the cells at two places.
  template <int axis>
  __device__ __forceinline__ bool wants_limiter(const State<Real>& flux, int k, int left, int right,
                                                bool turned = false) const {
    return Watch::template wants_limiter<axis>(tile_, sweep_.flow.gas, flux, k, left, right, turned);
  }

  /// Never limited here.
  template <int axis>
  __device__ __forceinline__ FaceFlux<Real> stream_flux(const Stencil<Real>& stencil) const {
    return unlimited_flux<Scheme, positivity_of_faces(limiting), axis>(stencil, sweep_.flow.gas);
  }
  /// Through a face that belongs to the cell below it, row r of the thread's.
  template <int axis>
  __device__ __forceinline__ State<Real> flux_above(int r, const Stencil<Real>& stencil,
                                                    const State<Real>& flux) {
    const FaceFlux<Real> face =
        flux_with_check<Scheme, positivity_of_faces(limiting), axis>(flux, stencil, sweep_.flow.gas);
    if constexpr (limiting == Limiting::check) flagged_.template add<axis>(r, face.flagged);
    return face.flux;
  }
  template <int axis>
  __device__ __forceinline__ State<Real> flux_above(int r, const Stencil<Real>& stencil) {
    return flux_above<axis>(r, stencil, Scheme::template flux<axis>(stencil, sweep_.flow.gas));
  }
  /// Of the three that the first round asks for.
  __device__ __forceinline__ int plane_of_lane() const { return planes_.begin + min(thread_.lane(), 2); }
  __device__ __forceinline__ Real pressure(int k) const { return slab_.background[k].pressure; }
  __device__ __forceinline__ Cell<Real> take(int place, Real background_pressure) const {
    return tile_.take(place, background_pressure, sweep_.flow.gas);
  }
  __device__ __forceinline__ Cell<Real> take(int place) const { return take(place, pressure_); }
  __device__ __forceinline__ Cell<Real> kept_cell(const State<Real>& state, Real background_pressure) const {
    return Kept::as_kept(make_cell(state, background_pressure, sweep_.flow.gas), sweep_.flow.gas);
  }

  __device__ __forceinline__ void step_up() {
    supply_.step_up();
    const int place = place_;
    place_ = above_place_;
    above_place_ = coming_place_;
    coming_place_ = place;
  }

  /// The z fluxes above the plane, and the cells two planes up.
  __device__ __forceinline__ void stream_up(int k) {
    supply_.wait_for_batch_ahead();
    const Real coming_pressure = tile_.background_of(k + 2).pressure;
    const bool wants_apron = thread_.has_apron_cell() && k + 2 < planes_.end;
    Cell<Real> apron;
    if (Shape::apron_among_own || wants_apron) {
      const State<Real> state = supply_.coming_apron();
      if constexpr (limiting == Limiting::watch) watch_.see(state, coming_pressure, wants_apron);
      apron = apron_cell(state, coming_pressure);
    }
    if (!Shape::apron_among_own && wants_apron) put_apron(apron, coming_place_);
    State<Real> coming[rows];
#pragma unroll
    for (int r = 0; r < rows; ++r) coming[r] = supply_.coming(r);
    supply_.flip_beyond(k + 2, coming);

    const PlaneBackground<Real> background = tile_.background_of(k);
    pressure_ = background.pressure;
    const Real above_pressure = tile_.background_of(k + 1).pressure;
    if constexpr (limiting == Limiting::watch) watch_.see_backgrounds(above_pressure, coming_pressure);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if constexpr (limiting == Limiting::watch) watch_.see(coming[r], coming_pressure);
      const Cell<Real> far_above = kept_cell(coming[r], coming_pressure);
      const Cell<Real> here = take(place_ + r * pitch);
      const Stencil<Real> column{here_[r], here, take(above_place_ + r * pitch, above_pressure), far_above};
      const State<Real> up =
          flux_above<2>(r, column, next_flux<Scheme, 2>(column, handed_[r], sweep_.flow.gas));
      tile_.put(coming_place_ + r * pitch, far_above);
      change_[r] = column_difference<Scheme, Real>(here.state.density, background.density, below_[r], up,
                                                   sweep_.flow.gravity);
      if constexpr (Kept::has_state) change_[r] = after_column<Real>(here.state, change_[r], length_);
      here_[r] = here;
      below_[r] = up;
    }
    if (Shape::apron_among_own && wants_apron) put_apron(apron, coming_place_);
    supply_.copy_coming_ahead(k + 1, 1);
  }

  /// The fluxes through the plane's x and y faces.
  __device__ __forceinline__ void cross(typename Memory::Faces& faces) {
    if constexpr (Shape::has_y_faces) cross_y(faces);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const int place = place_ + r * pitch;
      east_[r] = flux_above<0>(r, {take(place - 1), here_[r], take(place + 1), take(place + 2)});
    }
  }
  __device__ __forceinline__ void cross_y(typename Memory::Faces& faces) {
    Cell<Real> cells[rows + 3];
#pragma unroll
    for (int r = 0; r < rows + 3; ++r)
      cells[r] = r >= 1 && r <= rows ? here_[(r + rows - 1) % rows] : take(place_ + (r - 1) * pitch);
#pragma unroll
    for (int r = 0; r < rows; ++r)
      north_[r] = flux_above<1>(r, {cells[r], cells[r + 1], cells[r + 2], cells[r + 3]});
    if (thread_.y + rows < Shape::height) put_state(faces.y, own_y_face() + Shape::width, north_[rows - 1]);
  }

  /// Of the lower y face of the thread's first row among those that warps share: its thread's number.
  __device__ __forceinline__ int own_y_face() const { return thread_.y / rows * Shape::width + thread_.x; }
  __device__ __forceinline__ Cell<Real> apron_cell(State<Real> state, Real background_pressure) {
    flip(state, supply_.apron_flips());
    return make_cell(state, background_pressure, sweep_.flow.gas);
  }
  /// `place` is that of the thread's first cell in the plane.
  __device__ __forceinline__ void put_apron(const Cell<Real>& cell, int place) {
    tile_.put(place + supply_.apron_distance(), cell);
  }

  /// What is updated where the cells kept are not that: on its way while the block waits, when the faces'
  /// registers are free.
  static constexpr bool loads_updated = !Kept::has_state && !Memory::has_updated;
  __device__ __forceinline__ void request_updated() {
#pragma unroll
    for (int r = 0; r < rows; ++r)
      updated_[r] = load_state(supply_.cell_of(sweep_.u, r), supply_.cells_of_plane());
  }
  __device__ __forceinline__ State<Real> updated(int r) const {
    if constexpr (Memory::has_updated)
      return supply_.updated_state(r, here_[r].state.density);
    else
      return updated_[r];
  }

  /// The flux through the lower y face of the thread's first row.
  __device__ __forceinline__ State<Real> take_south(const typename Memory::Faces& faces) const {
    if constexpr (Shape::has_y_faces)
      return take_state(faces.y, own_y_face());
    else
      return {};
  }

  /// The difference of the x fluxes, but for cells whose west face is another's: work while the block waits.
  __device__ __forceinline__ void take_from_west() {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const State<Real> west = from_lane_before(east_[r]);
      if (thread_.x != 0) east_[r] = west - east_[r];
    }
  }

  /// The tile's edge faces are nobody's upper ones: one warp of a pair takes the row of them, the other the
  /// column. Lanes beyond a column's end compute other lanes' faces once more: to leave them out would cost a
  /// register.
  __device__ __forceinline__ bool takes_edge_faces(int k) const { return place_in_pair(k) < 2; }
  __device__ __forceinline__ bool takes_first_row(int k) const { return place_in_pair(k) == 1; }
  /// 0 or 1 in the pair; more for other warps, as numbers below 0 wrap around.
  __device__ __forceinline__ unsigned place_in_pair(int k) const {
    if constexpr (!Shape::has_y_faces) return 0;  // the only one: there is no row of faces
    return thread_.warp() - (Shape::warps - 2 - (Shape::edge_faces_ahead ? 2 * (k & 1) : 0));
  }
  /// `place` is that of the thread's first cell in plane k.
  __device__ __forceinline__ State<Real> first_flux(int k, int place, Real pressure) {
    const int corner = place - Memory::place(thread_.x, thread_.y);
    const bool is_row = takes_first_row(k);
    const int above =
        corner + (is_row ? Memory::place(thread_.x, 0) : Memory::place(0, thread_.x % Shape::height));
    const int step = is_row ? pitch : 1;
    const auto neighbour = [&](int on) {
      return tile_.take(above + on * step, pressure, sweep_.flow.gas, is_row);
    };
    FaceFlux<Real> first = stream_flux<0>({neighbour(-2), neighbour(-1), neighbour(0), neighbour(1)});
    if constexpr (limiting == Limiting::check) flagged_.add_first(first.flagged);
    if constexpr (limiting == Limiting::watch)
      if (watch_.is_troubled(k))  // of all that these faces read the block has heard
        flagged_.add_first(wants_limiter<0>(first.flux, k, above - step, above, is_row));
    if (is_row) std::swap(first.flux.momentum[0], first.flux.momentum[1]);
    return first.flux;
  }
  __device__ __forceinline__ void put_first_flux(typename Memory::Faces& faces, int k,
                                                 const State<Real>& flux) {
    if (takes_first_row(k))
      put_state(faces.y, thread_.x, flux);
    else if (thread_.x < Shape::height)
      put_state(faces.first_x, thread_.x, flux);
  }

  /// What the y fluxes of row r change.
  __device__ __forceinline__ State<Real> along_y(int r, const State<Real>& south) const {
    if constexpr (Shape::has_y_faces)
      return south - north_[r];
    else
      return {};
  }

  /// keep u_old + (1 - keep) (u + dt L(u)), written to its place but for rows that are left out.
  __device__ __forceinline__ void update(int k, const typename Memory::Faces& faces,
                                         const State<Real>& first_south, unsigned left_out) {
    // Asked once for all rows: two stages of three are not the last, nearly all planes no edge.
    constexpr int ends_step = 1, ends_slab = 2;
    int ends =
        (sweep_.stage.last ? ends_step : 0) | (sweep_.copies.has_any_of(k, slab_.layout.nz) ? ends_slab : 0);
    opaque(ends);
    supply_.wait_for_batch_ahead();
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const State<Real>& south = r == 0 ? first_south : north_[r > 0 ? r - 1 : 0];
      if (thread_.x == 0) {
        const State<Real> west = take_state(faces.first_x, thread_.y + r);
        if constexpr (Shape::carries)
          if (blockIdx.x == 0) leave_first_mass(0, k, r, west);
        east_[r] = west - east_[r];
      }
      if constexpr (Shape::carries && Shape::has_y_faces)
        if (r == 0 && thread_.y == 0 && supply_.tile_row() == 0) leave_first_mass(1, k, r, south);
      if (r >= supply_.inside() || (left_out >> r & 1) != 0) continue;
      State<Real> column = change_[r];
      if constexpr (!Kept::has_state) column = after_column<Real>(updated(r), change_[r], length_);
      State<Real> next =
          after_rows<Real>(column, east_[r], along_y(r, south), length_, slab_.spacing.y_over_x);
      if (sweep_.stage.keep != 0) next = staged<Real>(sweep_.stage, supply_.old_state(r), next);
      stream_state(next, supply_.cell_of(sweep_.next, r), supply_.cells_of_plane());
      if (ends == 0) continue;
      const NextCell<Real> cell(sweep_, k, supply_.offset(r), supply_.cells_of_plane());
      if (ends & ends_slab) cold_call<Shape>([cell, next] { cell.copy_edge(next); });
      if (ends & ends_step) cell.inspect(next, pressure_, signal_rate_);
    }
  }

  const Sweep<Real>& sweep_;
  const Slab<Real>& slab_;
  const PlaneRange planes_;
  Memory& tile_;
  StepLength<Real> length_;
  const ThreadInTile<Shape> thread_;
  ZStreamSupply<Memory, Real> supply_;
  Watch watch_;
  int place_, above_place_, coming_place_;  // of the thread's first cell in the tile's three planes
  Real pressure_;                           // of the background of plane k
  Cell<Real> here_[rows];                   // where a plane begins, those of the plane below
  HandedOn<Scheme, Real> handed_[rows];     // by the cells above those
  State<Real> updated_[rows];               // the cells being updated, where they are loaded
  State<Real> change_[rows];  // the column's difference, or what is after it where the state is kept
  State<Real> below_[rows], north_[rows];  // fluxes; after stream_up `below` is that above
  State<Real> east_[rows];                 // fluxes, then what the x fluxes change
  FlaggedFaces<Shape> flagged_;
  Real signal_rate_ = 0;
};

/// Z-streams that read neighbours' planes wait for them first. By then the neighbours have also read those of
/// their ghosts that the z-stream overwrites.
template <class Real>
__device__ __forceinline__ void await_neighbours(const Sweep<Real>& sweep, const PlaneRange& planes) {
  const bool reads_below = planes.begin < ghost_planes;
  const bool reads_above = planes.end > sweep.slab.layout.nz - ghost_planes;
  if (!reads_below && !reads_above) return;
  const unsigned side = threadIdx.x;
  if ((side == 0 && reads_below) || (side == 1 && reads_above))
    if (await_ghosts(sweep.neighbours, static_cast<int>(side))) atomicMax(sweep.arrived, nanoseconds());
  __syncthreads();
}

extern __shared__ __align__(128) unsigned char shared_memory[];

/// Z-streams of flat tiles and of rows are short.
template <Positivity positivity, Tile tile>
inline constexpr Limiting limiting_of =
    positivity == Positivity::off                               ? Limiting::none
    : tile.kind == TileKind::flat || tile.kind == TileKind::row ? Limiting::check
                                                                : Limiting::watch;

/// Code for another architecture has nothing in the kernel.
template <GpuClass gpu>
inline constexpr bool has_code =
#ifdef __CUDA_ARCH__
    code_holds(__CUDA_ARCH__ / 10, gpu);
#else
    true;
#endif

template <class Scheme, Positivity positivity, TileKind kind, GpuClass gpu, bool carries, class Real>
__global__ void __launch_bounds__(TileShape<Scheme, Real, Tile{kind, gpu}>::threads,
                                  TileShape<Scheme, Real, Tile{kind, gpu}>::blocks_per_multiprocessor)
    sweep_kernel(const __grid_constant__ Sweep<Real> sweep, const __grid_constant__ ZStreamCut cut) {
  if constexpr (has_code<gpu>) {
    constexpr Tile tile{kind, gpu, carries};
    // Nothing waits to begin beside a kernel that waits for other GPUs (decision 0307): these blocks run at
    // once.
    const bool waits = sweep.neighbours.signals != nullptr;
    if (!waits) trigger_launch_completion();
    constexpr Limiting limiting = limiting_of<positivity, tile>;
    const ZStreamPlace place = cut.place(sweep.planes, blockIdx.y, blockIdx.z);
    if (place.planes.count() == 0) return;  // other blocks wait for the kernel ahead
    ZStream<Scheme, limiting, tile, Real> z_stream(sweep, place, shared_memory);
    const auto ground = z_stream.prepare();
    grid_dependency_synchronize();
    if (waits) {
      await_neighbours(sweep, place.planes);
      trigger_launch_completion();
    }
    const auto begun = nanoseconds();
    const double dt = sweep.clock->dt;  // on its way while the z-stream begins
    z_stream.begin(ground, dt);
    if (dt == 0) {
      wait_for_copies();  // which write to memory that the next block may get
      return;
    }
    if (threadIdx.x == 0) atomicMin(&sweep.busy->begin, begun);
    z_stream.run();
    z_stream.finish();
    if (threadIdx.x == 0) atomicMax(&sweep.busy->end, nanoseconds());
  }
}

/// Shared memory of a block, in bytes.
template <class Scheme, Positivity positivity, Tile tile, class Real>
inline constexpr int sweep_memory =
    std::max(sizeof(typename ZStream<Scheme, limiting_of<positivity, tile>, tile, Real>::Memory),
             TileShape<Scheme, Real, tile>::least_memory);

template <class Shape>
dim3 tiles_of(const Layout& layout) {
  return dim3((layout.nx + Shape::width - 1) / Shape::width, (layout.ny + Shape::height - 1) / Shape::height);
}

/// The best that tiles of a shape can do.
struct ShapePlan {
  ZStreamCut cut;
  double time;   // in planes of tall tiles that fill the multiprocessors
  bool at_once;  // no block waits for another to end
};
template <class Scheme, Tile tile, class Real>
ShapePlan plan_streams(const Sweep<Real>& sweep, int multiprocessors) {
  using Shape = TileShape<Scheme, Real, tile>;
  const dim3 tiles = tiles_of<Shape>(sweep.slab.layout);
  const int blocks_at_once = Shape::blocks_per_multiprocessor * multiprocessors;
  const ZStreamPlan plan = ZStreamPlanner(sweep.planes, tiles, blocks_at_once, Shape::longest_stream).best();
  return {plan.cut, Shape::time_of_a_plane * (plan.cost + Shape::later_start),
          static_cast<int>(tiles.x * tiles.y) * plan.cut.layers() <= blocks_at_once};
}

template <class Scheme, Positivity positivity, Tile tile, class Real>
void launch_kernel(const Sweep<Real>& sweep, const ZStreamCut& cut, cudaStream_t stream) {
  using Shape = TileShape<Scheme, Real, tile>;
  constexpr auto kernel = sweep_kernel<Scheme, positivity, tile.kind, tile.gpu, tile.carries, Real>;
  constexpr int memory = sweep_memory<Scheme, positivity, tile, Real>;
  static_assert(memory <= Shape::memory, "a block's share of shared memory");
  static_assert(sizeof(WorkSetAside<Shape, Real>) <= memory, "it takes the tile's place");
  static std::set<int> allowed;  // GPUs
  int device = 0;
  check_cuda(cudaGetDevice(&device), "querying the current GPU");
  if (allowed.insert(device).second)
    check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, memory),
               "setting a kernel's shared memory");
  dim3 grid = tiles_of<Shape>(sweep.slab.layout);
  grid.z = cut.layers();
  launch_early(kernel, {grid, Shape::threads, memory}, stream, "starting a sweep", sweep, cut);
}

/// If not all blocks run at the same time, none waits for a neighbour: a kernel ahead of them does
/// (decision 0307).
template <class Scheme, Positivity positivity, Tile tile, class Real>
void launch_planned(Sweep<Real> sweep, const ShapePlan& plan, cudaStream_t stream) {
  if (sweep.neighbours.signals != nullptr && !plan.at_once) {
    enqueue_wait(sweep.neighbours, stream);
    sweep.neighbours = {};
  }
  launch_kernel<Scheme, positivity, tile>(sweep, plan.cut, stream);
}

template <class Scheme, Positivity positivity, GpuClass gpu, class Real>
void launch_best_tiles(const Sweep<Real>& sweep, int multiprocessors, cudaStream_t stream) {
  constexpr Tile square{TileKind::square, gpu}, tall{TileKind::tall, gpu}, flat{TileKind::flat, gpu},
      row{TileKind::row, gpu};
  if (sweep.slab.layout.ny == 1)
    return launch_planned<Scheme, positivity, row>(sweep, plan_streams<Scheme, row>(sweep, multiprocessors),
                                                   stream);
  const ShapePlan in_tall = plan_streams<Scheme, tall>(sweep, multiprocessors);
  if constexpr (has_tall_tile<Scheme, Real, gpu>) {
    const ShapePlan in_flat = plan_streams<Scheme, flat>(sweep, multiprocessors);
    if constexpr (has_square_tile<Scheme, Real, gpu>) {
      const ShapePlan in_square = plan_streams<Scheme, square>(sweep, multiprocessors);
      if (in_square.time < std::min(in_tall.time, in_flat.time))
        return launch_planned<Scheme, positivity, square>(sweep, in_square, stream);
    }
    if (in_flat.time < in_tall.time) return launch_planned<Scheme, positivity, flat>(sweep, in_flat, stream);
  }
  launch_planned<Scheme, positivity, tall>(sweep, in_tall, stream);
}

/// With the limiter, in tall tiles or rows alone: each further kernel is a minute's compiling.
template <class Scheme, GpuClass gpu, class Real>
void launch_carrying_tiles(const Sweep<Real>& sweep, int multiprocessors, cudaStream_t stream) {
  constexpr Tile tall{TileKind::tall, gpu, true}, row{TileKind::row, gpu, true};
  if (sweep.slab.layout.ny == 1)
    launch_planned<Scheme, Positivity::on, row>(sweep, plan_streams<Scheme, row>(sweep, multiprocessors),
                                                stream);
  else
    launch_planned<Scheme, Positivity::on, tall>(sweep, plan_streams<Scheme, tall>(sweep, multiprocessors),
                                                 stream);
}

template <class Scheme, GpuClass gpu, Positivity positivity, class Real>
void launch_tiles(const Sweep<Real>& sweep, int multiprocessors, cudaStream_t stream) {
  if constexpr (positivity == Positivity::on)
    if (sweep.mass.are_wanted()) return launch_carrying_tiles<Scheme, gpu>(sweep, multiprocessors, stream);
  launch_best_tiles<Scheme, positivity, gpu>(sweep, multiprocessors, stream);
}

template <class Scheme, Positivity positivity, class Real>
void launch_sweep(const Sweep<Real>& sweep, const GpuShape& gpu, cudaStream_t stream) {
  using enum GpuClass;
  switch (gpu.kind) {
    case kib100:
      return launch_tiles<Scheme, kib100, positivity>(sweep, gpu.multiprocessors, stream);
    case kib164:
      return launch_tiles<Scheme, kib164, positivity>(sweep, gpu.multiprocessors, stream);
    case kib228:
      return launch_tiles<Scheme, kib228, positivity>(sweep, gpu.multiprocessors, stream);
  }
}

}  // namespace tayra
