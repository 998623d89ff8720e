// Tests of the files that benchmarks leave, whatever their rows hold.
#include "bench/results.hpp"

#include <gtest/gtest.h>

#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

TEST(Results, QuoteTextsOfTheirTableAsSpreadsheetsDo) {
  const TemporaryDirectory folder;
  Results results({.json = "", .csv = folder.path("a.csv")}, "transfer", {}, Json::object());
  results.add(Row().keep("way", "host").keep("path", "peer access, rank 0"));
  results.add(Row().keep("way", R"(a "b" \ c)").keep("path", R"(")"));
  results.write();
  EXPECT_EQ(text_of(folder.path("a.csv")),
            "way,path\nhost,\"peer access, rank 0\"\n\"a \"\"b\"\" \\ c\",\"\"\"\"\n");
}

}  // namespace
}  // namespace tayra
