// Nothing that lies in the current directory is run: results may come from anyone.
#include <gmock/gmock.h>

#include "app/tayra_process.hpp"

namespace tayra {
namespace {

namespace fs = std::filesystem;

/// Folders in which the loader looks for the program's libraries; an empty one is the current directory.
std::vector<std::string> library_folders(const std::string& program, const std::string& folder) {
  const std::string entry = run_shell("readelf -d '" + program + "' | grep -E 'R(UN)?PATH'", folder).output;
  const auto begin = entry.find('[');
  if (begin == std::string::npos) return {};
  std::string list = entry.substr(begin + 1, entry.rfind(']') - begin - 1) + ":";
  std::vector<std::string> folders;
  for (auto colon = list.find(':'); colon != std::string::npos; colon = list.find(':')) {
    folders.push_back(list.substr(0, colon));
    list.erase(0, colon + 1);
  }
  return folders;
}

TEST(ForeignCode, LibrariesAreLookedForInNamedFoldersOnly) {
  const TemporaryDirectory folder;
  const auto built = library_folders(TAYRA_BINARY, folder.path());
  EXPECT_THAT(built, testing::Each(testing::StartsWith("/")));
  const std::string build = fs::path(TAYRA_BINARY).parent_path();
  const ProcessEnd end = run_shell("cmake --install '" + build + "' --prefix installed", folder.path());
  ASSERT_EQ(end.code, 0) << end.errors;
  EXPECT_EQ(library_folders(folder.path("installed/bin/tayra"), folder.path()), built)
      << "installed, it finds the same libraries";
}

TEST(ForeignCode, CommandsAreLookedForInAbsoluteFoldersOfPathOnly) {
  const TemporaryDirectory folder;
  for (const std::string program : {"tayra-planted", "sub/tayra-planted"}) {
    fs::create_directories(fs::path(folder.path(program)).parent_path());
    write_file(folder.path(program), "#!/bin/sh\necho planted\n");
    fs::permissions(folder.path(program), fs::perms::owner_all);
  }
  const std::string tayra = std::string("'") + TAYRA_BINARY + "' planted";
  for (const std::string path : {":/bin", "/bin::/usr/bin", "/bin:", ".:/bin", "sub:/bin"}) {
    const ProcessEnd end = run_shell("PATH=" + path + " " + tayra, folder.path());
    EXPECT_EQ(end.code, 2) << path;
    EXPECT_EQ(end.output, "") << path;
  }
  EXPECT_EQ(run_shell("PATH=\"$PWD:/bin\" " + tayra, folder.path()).output, "planted\n");
}

}  // namespace
}  // namespace tayra
