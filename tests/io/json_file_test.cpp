// Tests of reading JSON files back: what was written, and that no file takes long or much memory.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <ctime>

#include "app/tayra_process.hpp"
#include "core/error.hpp"
#include "io/json.hpp"

namespace tayra {
namespace {

using testing::HasSubstr;

class JsonFile : public testing::Test {
 protected:
  std::string refusal() const {
    try {
      read_json_file(path_);
      return "none";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      return error.what();
    }
  }

  TemporaryDirectory folder_;
  std::string path_ = folder_.path("a.json");
};

std::string repeated(const std::string& text, std::size_t bytes) {
  std::string all;
  while (all.size() < bytes) all += text;
  return all;
}

TEST_F(JsonFile, ReadsBackWhatWasWritten) {
  const Json inner = Json::object().set("number", 0.1).set("count", -3).set("flag", true).set("none", Json());
  const std::string text =
      Json::object().set("list", Json::array().push(inner).push("a \"b\"\n\\")).set("digits", "007").text();
  write_file(path_, text);
  const Json read = read_json_file(path_);
  EXPECT_EQ(read.text(), text);
  EXPECT_EQ(read["list"].elements().front()["count"].integer(), -3);
  EXPECT_EQ(read["list"].elements().front()["count"].number(), -3.);
  EXPECT_EQ(read["digits"].integer(), std::nullopt) << "a text";
  EXPECT_EQ(read["nothing"]["there"].text(), "null");
}

TEST_F(JsonFile, SaysWhyItCantBeRead) {
  EXPECT_THAT(refusal(), HasSubstr("a.json can't be read as JSON (it is no file of at most 1 MiB"));
  write_file(path_, "{\n\"rows\": [");
  EXPECT_THAT(refusal(), HasSubstr("a.json can't be read as JSON, line 2: not valid YAML"));
  write_file(path_, repeated(" ", (1 << 20) + 1));
  EXPECT_THAT(refusal(), HasSubstr("it is no file of at most 1 MiB"));
}

std::string bomb() {
  std::string text = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (char name = 'b'; name < 'z'; ++name) {
    const std::string before = std::string("*") + static_cast<char>(name - 1) + " ";
    text += std::string(1, name) + ": &" + name + " [" + before;
    for (int i = 0; i < 8; ++i) text += ", " + before;
    text += "]\n";
  }
  return text + "status: lost\nattempts: [*y ]\n";
}

std::string many_keys(std::size_t bytes) {
  std::string text = "{\"status\": 1";
  for (int i = 0; text.size() < bytes; ++i) text += ",\n\"" + std::to_string(i) + "\": 1";
  return text + "}";
}

double peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

TEST_F(JsonFile, IsReadOrRefusedSoonAndInLittleMemoryWhateverItHolds) {
#ifdef __SANITIZE_ADDRESS__
  constexpr double most_mebibytes = 4096;  // it keeps what was freed
#else
  constexpr double most_mebibytes = 300;
#endif
  const double most = peak_mebibytes() + most_mebibytes;
  constexpr std::size_t full = (1 << 20) - 100;
  for (const std::string& text :
       {std::string(","), repeated(",", full), bomb(), repeated("[", full), "[" + repeated("[],", full) + "]",
        "[" + repeated("1,", full) + "]", many_keys(full), repeated("{\"a\": ", full), repeated("- ", full),
        repeated("\"a\n", full), std::string(full, '\0')}) {
    write_file(path_, text);
    const auto start = std::clock();
    refusal();
    EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 2) << text.substr(0, 20);
    EXPECT_LT(peak_mebibytes(), most) << text.substr(0, 20);
  }
}

TEST_F(JsonFile, ThatIsAPipeIsNotWaitedFor) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THAT(refusal(), HasSubstr("it is no file"));
}

TEST_F(JsonFile, OfARunThatHoldsCommasOrABombEndsAResumeAtOnce) {
  write_file(
      folder_.path("a.yaml"),
      "problem: {name: vortex}\ngrid: {cells: [8, 8, 8]}\nrun: {steps: 1}\noutput: {directory: out}\n");
  ASSERT_EQ(mkdir(folder_.path("out").c_str(), 0700), 0);
  for (const std::string& hostile : {std::string(","), bomb()})
    for (const char* name : {"run.json", "config.yaml"}) {
      write_file(folder_.path("out/run.json"), R"({"status": "lost"})");
      write_file(folder_.path("out/config.yaml"), "problem: {name: vortex}\n");
      write_file(folder_.path("out/") + name, hostile);
      for (const auto& words : {std::vector<std::string>{"run", "a.yaml", "--resume"},
                                {"supervise", "--", TAYRA_BINARY, "run", "a.yaml"}}) {
        const ProcessEnd end = run_tayra(words, folder_.path());
        EXPECT_EQ(end.code, 2) << name;
        EXPECT_THAT(end.errors, HasSubstr("choose another directory")) << name << words.front();
      }
    }
}

}  // namespace
}  // namespace tayra
