// XDMF counts axes as data lies in memory: z, y, x.
#include "io/xdmf.hpp"

#include <fmt/format.h>

namespace tayra {
namespace {

std::string vector_item(const Vec3& values) {
  return fmt::format(
      R"(<DataItem Dimensions="3" NumberType="Float" Precision="8" Format="XML">{:.17g} {:.17g} {:.17g}</DataItem>)",
      values[2], values[1], values[0]);
}

std::string sizes_of(const std::array<int, 3>& cells, int components) {
  const auto [nx, ny, nz] = cells;
  return fmt::format("{} {} {}{}", nz, ny, nx, components > 1 ? fmt::format(" {}", components) : "");
}

std::string stored(const std::string& sizes, int bytes, const std::string& dataset) {
  return fmt::format(
      R"(<DataItem Dimensions="{}" NumberType="Float" Precision="{}" Format="HDF">{}</DataItem>)", sizes,
      bytes, dataset);
}

std::string attribute(const XdmfField& field) {
  return fmt::format(R"(        <Attribute Name="{}" AttributeType="{}" Center="Cell">{}</Attribute>)",
                     field.name, field.components > 1 ? "Vector" : "Scalar", field.item) +
         "\n";
}

std::string grid_text(const XdmfGrid& grid) {
  const auto [nx, ny, nz] = grid.cells;
  std::string text = "      <Grid Name=\"box\" GridType=\"Uniform\">\n";
  text += fmt::format("        <Time Value=\"{:.17g}\"/>\n", grid.time);
  text += fmt::format("        <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"{} {} {}\"/>\n", nz + 1,
                      ny + 1, nx + 1);
  text += fmt::format("        <Geometry GeometryType=\"ORIGIN_DXDYDZ\">{}{}</Geometry>\n",
                      vector_item(grid.lower), vector_item(grid.spacing));
  for (const XdmfField& field : grid.fields) text += attribute(field);
  return text + "      </Grid>\n";
}

}  // namespace

std::string xdmf_dataset(const std::array<int, 3>& cells, const XdmfNumbers& numbers,
                         const std::string& dataset) {
  return stored(sizes_of(cells, numbers.components), numbers.bytes, dataset);
}

std::string xdmf_row(const std::array<int, 3>& cells, const XdmfNumbers& numbers, std::int64_t row,
                     const std::string& dataset) {
  const std::string sizes = sizes_of(cells, numbers.components);
  const bool is_vector = numbers.components > 1;
  const std::string zeros = is_vector ? " 0 0 0 0" : " 0 0 0", ones = is_vector ? "1 1 1 1 1" : "1 1 1 1";
  const std::string choice =
      fmt::format(R"(<DataItem Dimensions="3 {}" NumberType="Int" Format="XML">{}{} {} 1 {}</DataItem>)",
                  is_vector ? 5 : 4, row, zeros, ones, sizes);
  return fmt::format(R"(<DataItem ItemType="HyperSlab" Dimensions="{}">{}{}</DataItem>)", sizes, choice,
                     stored(fmt::format("{} {}", numbers.room, sizes), numbers.bytes, dataset));
}

std::string xdmf_text(const std::string& name, const std::vector<XdmfGrid>& grids) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n"
      "    <Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
      name);
  for (const XdmfGrid& grid : grids) text += grid_text(grid);
  return text + "    </Grid>\n  </Domain>\n</Xdmf>\n";
}

}  // namespace tayra
