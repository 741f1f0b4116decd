// Files that change while they are read.
#include "archives/byte_source.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace ndc::test {
namespace {

TEST(FileSource, AFileThatBecomesShorterCannotBeRead) {
  const std::string path = testing::TempDir() + "ndc_shrinking_" + std::to_string(::getpid());
  std::ofstream(path) << std::string(1000, 'x');
  for (const uint64_t start : {uint64_t{0}, uint64_t{300}}) {
    std::filesystem::resize_file(path, 1000);
    std::string error;
    const std::unique_ptr<FileSource> source = FileSource::open(path, error);
    ASSERT_TRUE(source) << error;
    ASSERT_TRUE(source->seek(start));
    char bytes[400];
    EXPECT_EQ(source->read(bytes, sizeof bytes), sizeof bytes);
    std::filesystem::resize_file(path, 500);
    EXPECT_FALSE(start == 0 && source->read(bytes, 100) != 100u);
    EXPECT_FALSE(source->read(bytes, sizeof bytes).has_value());
    EXPECT_EQ(source->error(), "has become shorter while it was read");
  }
  std::filesystem::remove(path);
}

TEST(FileSource, AFileThatGrowsIsReadToItsEnd) {
  const std::string path = testing::TempDir() + "ndc_growing_" + std::to_string(::getpid());
  std::ofstream(path) << "12";
  std::string error;
  const std::unique_ptr<FileSource> source = FileSource::open(path, error);
  ASSERT_TRUE(source);
  std::ofstream(path, std::ios::app) << "345";
  char bytes[10];
  EXPECT_EQ(source->read(bytes, sizeof bytes), 5u);
  EXPECT_EQ(source->read(bytes, sizeof bytes), 0u);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace ndc::test
