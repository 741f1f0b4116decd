// Files of labels, with wrong lines named by their numbers.
#include "labels.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace nd::eval {
namespace {

class LabelsTest : public ::testing::Test {
 protected:
  void TearDown() override { std::remove(path_.c_str()); }

  Result<Labels> read(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return Labels::read(path_);
  }
  std::string failure_of(const std::string& text) {
    const Result<Labels> labels = read(text);
    return labels ? "" : std::string(std::string_view(labels.failure().message));
  }

  std::string path_ = ::testing::TempDir() + "labels_" +
                      ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".tsv";
};

TEST_F(LabelsTest, FindsColumnsByTheirNames) {
  const Result<Labels> labels = read("kind\turl\tlang\tgroup\tsite\nsource\thttp://a/\ten\tg1\ta.example\n");
  ASSERT_TRUE(labels);
  const Label* label = labels->find("http://a/");
  ASSERT_NE(label, nullptr);
  EXPECT_EQ(label->group, "g1");
  EXPECT_EQ(label->kind, "source");
  EXPECT_EQ(label->site, "a.example");
  EXPECT_EQ(labels->find("http://b/"), nullptr);
}

TEST_F(LabelsTest, NeedsUrlAndGroupOnly) {
  const Result<Labels> labels = read("#url\tgroup\r\n# a comment\n\nhttp://a/\tg\r\n");
  ASSERT_TRUE(labels);
  EXPECT_EQ(labels->find("http://a/")->group, "g");
  EXPECT_EQ(labels->find("http://a/")->site, "");
  EXPECT_EQ(labels->size(), 1U);
}

TEST_F(LabelsTest, NamesTheLineThatIsWrong) {
  EXPECT_NE(failure_of("").find("no head"), std::string::npos);
  EXPECT_NE(failure_of("address\tgroup\nx\ty\n").find(":1: the head"), std::string::npos);
  EXPECT_NE(failure_of("url\tgroup\nhttp://a/\n").find(":2: a row without"), std::string::npos);
  EXPECT_NE(failure_of("url\tgroup\n\tg\n").find(":2: a row without"), std::string::npos);
  EXPECT_NE(failure_of("url\tgroup\na\tg\na\th\n").find(":3: a URL that"), std::string::npos);
}

TEST_F(LabelsTest, AByteOrderMarkIsNoPartOfTheHead) {
  const Result<Labels> labels = read("\xEF\xBB\xBFurl\tgroup\nhttp://a/\tg");
  ASSERT_TRUE(labels);
  EXPECT_EQ(labels->find("http://a/")->group, "g");
}

TEST_F(LabelsTest, ALineWithoutAnEndIsNotReadToIt) {
  EXPECT_NE(failure_of("url\tgroup\n" + std::string(3 << 20, 'x')).find(":2: a line longer"),
            std::string::npos);
  const Result<Labels> endless = Labels::read("/dev/zero");
  ASSERT_FALSE(endless);
}

TEST_F(LabelsTest, AFileThatIsNotThereIsNamed) {
  const Result<Labels> labels = Labels::read("/nonexistent/labels.tsv");
  ASSERT_FALSE(labels);
  EXPECT_EQ(labels.failure().status, Status::kIo);
}

}  // namespace
}  // namespace nd::eval
