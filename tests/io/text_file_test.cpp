// Tests of text files that are written whole or not at all.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "core/error.hpp"
#include "io/file.hpp"
#include "io/temporary_directory.hpp"

namespace tayra {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(TextFile, ReplacesAFileAndLeavesNothingBeside) {
  const TemporaryDirectory directory;
  write_text_file(directory.path("a.txt"), "old and longer");
  write_text_file(directory.path("a.txt"), "new");
  EXPECT_EQ(text_of(directory.path("a.txt")), "new");
  EXPECT_FALSE(std::filesystem::exists(directory.path("a.txt.tmp")));
}

TEST(TextFile, NamesPathAndReasonWhenTheFolderIsGone) {
  const TemporaryDirectory directory;
  const std::string path = directory.path("gone/a.txt");
  EXPECT_THAT(message_of([&] { write_text_file(path, "text"); }),
              AllOf(HasSubstr(path), HasSubstr("No such file or directory")));
}

TEST(TextFile, IsNotWrittenWhereALinkBesideItLeads) {
  const TemporaryDirectory directory;
  std::filesystem::create_symlink(directory.path("elsewhere"), directory.path("a.txt.tmp"));
  write_text_file(directory.path("a.txt"), "text");
  EXPECT_FALSE(std::filesystem::exists(directory.path("elsewhere")));
  EXPECT_FALSE(std::filesystem::is_symlink(directory.path("a.txt")));
  EXPECT_EQ(text_of(directory.path("a.txt")), "text");
}

TEST(TextFile, LeavesNothingBesideWhenRenamingFails) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory.path("folder"));
  EXPECT_THAT(message_of([&] { write_text_file(directory.path("folder"), "text"); }), HasSubstr("directory"));
  EXPECT_FALSE(std::filesystem::exists(directory.path("folder.tmp")));
}

TEST(FileBeside, ThatIsGivenUpLeavesAloneWhatALinkOrAPipeInItsPlaceLeadsTo) {
  const TemporaryDirectory directory;
  const std::string elsewhere = directory.path("elsewhere"), beside = directory.path("a.h5.tmp");
  std::ofstream(elsewhere) << "text";
  std::filesystem::create_symlink(elsewhere, beside);
  { const FileBeside given_up(directory.path("a.h5")); }
  EXPECT_EQ(text_of(elsewhere), "text");
  EXPECT_FALSE(std::filesystem::is_symlink(beside));
  ASSERT_EQ(mkfifo(beside.c_str(), 0600), 0);
  { const FileBeside given_up(directory.path("a.h5")); }  // nobody reads the pipe
  EXPECT_FALSE(std::filesystem::exists(beside));
}

}  // namespace
}  // namespace tayra
