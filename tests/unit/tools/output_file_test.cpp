// An output has its name when it is whole, and a failed run leaves what was there.
#include "output_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace ndc::test {
namespace {

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "ndc_outputs_" + std::to_string(::getpid());
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return folder_ + "/out"; }
  std::string unfinished() const { return folder_ + "/.out.ndc-unfinished"; }
  std::string content() const {
    std::ifstream file(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  size_t files() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
  // As a process that is gone.
  void leave(const std::string& text) const {
    OutputFile file;
    ASSERT_TRUE(file.open(path())) << file.error();
    file.keep_unfinished();
    file.write(text);
    file.flush();
  }

  std::string folder_;
};

TEST_F(OutputFileTest, HasItsNameWhenItIsWhole) {
  OutputFile file;
  ASSERT_TRUE(file.open(path())) << file.error();
  file.write("new");
  EXPECT_FALSE(std::filesystem::exists(path()));
  EXPECT_TRUE(file.close()) << file.error();
  EXPECT_EQ(content(), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFileTest, LeavesWhatWasThereIfItIsNotWhole) {
  std::ofstream(path()) << "old";
  for (const bool closes : {false, true}) {
    OutputFile file;
    ASSERT_TRUE(file.open(path()));
    file.write("half");
    file.flush();
    EXPECT_EQ(files(), 2u);
    if (closes) {
      EXPECT_TRUE(file.close(false));
    }
  }
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputFileTest, TakesWhatWasLeftAlone) {
  std::ofstream(path()) << "old";
  leave("one, two");
  EXPECT_EQ(OutputFile::unfinished_size(path()), 8u);
  EXPECT_EQ(OutputFile::finished_size(path()), 3u);
  OutputFile first;
  ASSERT_TRUE(first.reopen(path(), 4)) << first.error();
  OutputFile second;
  EXPECT_FALSE(second.reopen(path(), 4));
  EXPECT_NE(second.error().find("another process is writing it"), std::string::npos);
  EXPECT_EQ(content(), "old");
}

TEST_F(OutputFileTest, CutsOffWhatLiesBehind) {
  leave("one, two");
  {
    OutputFile longer;
    EXPECT_FALSE(longer.reopen(path(), 9));
  }
  OutputFile file;
  ASSERT_TRUE(file.reopen(path(), 4)) << file.error();
  file.write(" three");
  EXPECT_TRUE(file.close()) << file.error();
  EXPECT_EQ(content(), "one, three");
  EXPECT_EQ(files(), 1u);
  OutputFile none;
  EXPECT_FALSE(none.reopen(path(), 0));
}

TEST_F(OutputFileTest, ClearsWhatADeadProcessHasLeftAndNothingElse) {
  leave("left");
  OutputFile file;
  ASSERT_TRUE(file.open(path())) << file.error();
  EXPECT_EQ(std::filesystem::file_size(unfinished()), 0u);
  OutputFile other;
  EXPECT_FALSE(other.open(path()));
  EXPECT_NE(other.error().find("another process is writing it"), std::string::npos);
  EXPECT_TRUE(file.close());
  EXPECT_EQ(files(), 1u);
}

// As on a file system that takes names for one that differ in case.
TEST_F(OutputFileTest, KnowsItsOwnFileUnderAnotherName) {
  OutputFile file;
  ASSERT_TRUE(file.open(path()));
  EXPECT_FALSE(file.is_written_as(folder_ + "/OUT"));
  std::filesystem::create_hard_link(unfinished(), folder_ + "/.OUT.ndc-unfinished");
  EXPECT_TRUE(file.is_written_as(folder_ + "/OUT"));
  EXPECT_TRUE(file.is_written_as(path()));
}

TEST_F(OutputFileTest, FailsWhereNoFileCanBe) {
  OutputFile folder;
  EXPECT_FALSE(folder.open(folder_));
  OutputFile nowhere;
  EXPECT_FALSE(nowhere.open(folder_ + "/none/out"));
}

}  // namespace
}  // namespace ndc::test
