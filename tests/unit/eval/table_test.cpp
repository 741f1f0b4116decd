// A table as TSV and as JSON, and a folder that cannot be written.
#include "table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

namespace nd::eval {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Table, WritesBothForms) {
  Table table("table_test", "What it says.",
              {{"name", "", "A text."}, {"share", "1", "A share."}, {"count", "pages", "How many."}});
  table.add_row({std::string("a\tb\n\"c\""), .25, uint64_t{18446744073709551615U}});
  table.add_row({std::monostate(), std::nan(""), uint64_t{0}});
  const std::string folder = ::testing::TempDir();
  ASSERT_TRUE(table.write(folder));
  EXPECT_EQ(content_of(folder + "/table_test.tsv"),
            "name\tshare\tcount\na%09b%0A\"c\"\t0.25\t18446744073709551615\n-\t-\t0\n");
  EXPECT_EQ(
      content_of(folder + "/table_test.json"),
      R"({"name":"table_test","about":"What it says.","columns":[{"name":"name","unit":"","about":"A text."},)"
      R"({"name":"share","unit":"1","about":"A share."},{"name":"count","unit":"pages","about":"How many."}],)"
      R"("rows":[["a\u0009b\n\"c\"",0.25,18446744073709551615],[null,null,0]]})"
      "\n");
}

TEST(Table, SaysWhereItCannotWrite) {
  const Table table("t", "", {{"a", "", ""}});
  const Result<void> written = table.write("/nonexistent");
  ASSERT_FALSE(written);
  EXPECT_NE(written.failure().message.find("/nonexistent/t.tsv"), String::npos);
}

}  // namespace
}  // namespace nd::eval
