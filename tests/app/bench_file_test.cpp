// Tests of the files that benchmarks leave, whatever their rows hold.
#include "app/bench_file.hpp"

#include <gtest/gtest.h>

#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

TEST(BenchFile, QuotesTextsOfItsTableAsSpreadsheetsDo) {
  const TemporaryDirectory folder;
  BenchFile file({.path = "", .csv = folder.path("a.csv")}, "transfer", {}, Json::object());
  file.add(Json::object().set("way", "host").set("path", "peer access, rank 0"));
  file.add(Json::object().set("way", R"(a "b" \ c)").set("path", R"(")"));
  file.write();
  EXPECT_EQ(text_of(folder.path("a.csv")),
            "way,path\nhost,\"peer access, rank 0\"\n\"a \"\"b\"\" \\ c\",\"\"\"\"\n");
}

}  // namespace
}  // namespace tayra
