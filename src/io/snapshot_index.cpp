// XDMF and file series as text.
#include "io/snapshot_index.hpp"

#include <fmt/format.h>

#include "io/json.hpp"

namespace tayra {
namespace {

/// XDMF counts axes as the data lies in memory: z, y, x.
std::string z_y_x(const Vec3& values) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", values[2], values[1], values[0]);
}

std::string vector_item(const Vec3& values) {
  return fmt::format(
      R"(<DataItem Dimensions="3" NumberType="Float" Precision="8" Format="XML">{}</DataItem>)",
      z_y_x(values));
}

std::string attribute(const SnapshotEntry& snapshot, const StoredField& field) {
  const auto [nx, ny, nz] = snapshot.cells;
  const bool is_vector = field.components > 1;
  const std::string item = fmt::format(
      R"(<DataItem Dimensions="{} {} {}{}" NumberType="Float" Precision="{}" Format="HDF">{}:/{}</DataItem>)",
      nz, ny, nx, is_vector ? " 3" : "", field.bytes, snapshot.file, field.name);
  return fmt::format(R"(        <Attribute Name="{}" AttributeType="{}" Center="Cell">{}</Attribute>)",
                     field.name, is_vector ? "Vector" : "Scalar", item) +
         "\n";
}

std::string grid_of(const SnapshotEntry& snapshot) {
  const auto [nx, ny, nz] = snapshot.cells;
  std::string text = "      <Grid Name=\"box\" GridType=\"Uniform\">\n";
  text += fmt::format("        <Time Value=\"{:.17g}\"/>\n", snapshot.time);
  text += fmt::format("        <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"{} {} {}\"/>\n", nz + 1,
                      ny + 1, nx + 1);
  text += fmt::format("        <Geometry GeometryType=\"ORIGIN_DXDYDZ\">{}{}</Geometry>\n",
                      vector_item(snapshot.lower), vector_item(snapshot.spacing));
  for (const StoredField& field : snapshot.fields) text += attribute(snapshot, field);
  return text + "      </Grid>\n";
}

}  // namespace

std::string xdmf_text(const std::vector<SnapshotEntry>& snapshots) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n"
      "    <Grid Name=\"snapshots\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  for (const SnapshotEntry& snapshot : snapshots) text += grid_of(snapshot);
  return text + "    </Grid>\n  </Domain>\n</Xdmf>\n";
}

std::string series_text(const std::vector<SnapshotEntry>& snapshots) {
  Json files = Json::array();
  for (const SnapshotEntry& snapshot : snapshots)
    files.push(Json::object().set("name", snapshot.file).set("time", snapshot.time));
  return Json::object().set("file-series-version", "1.0").set("files", files).text() + "\n";
}

}  // namespace tayra
