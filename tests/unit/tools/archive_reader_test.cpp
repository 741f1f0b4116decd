#include "archive_reader.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "archive_builder.hpp"
#include "archive_item.hpp"

namespace ndc::test {
namespace {

// A file that goes away with the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes) : path_(testing::TempDir() + "ndc_archive_XXXXXX") {
    const int descriptor = mkstemp(path_.data());
    if (descriptor < 0 ||
        ::write(descriptor, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
      abort();
    }
    ::close(descriptor);
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(ArchiveReader, ReadsManyFilesPlainAndGzip) {
  const std::string plain = page_record("http://a/", "a") + "junk\r\n";
  const std::string members =
      gzip(page_record("http://b/", "b")) + gzip(warc_record("request", "http://b/", "GET /"));
  const TemporaryFile first(plain), second(""), third(members);
  ArchiveReader reader({first.path(), second.path(), third.path()}, 1000);
  ASSERT_TRUE(reader.check());
  EXPECT_EQ(reader.total_bytes(), plain.size() + members.size());
  ArchiveItem item;
  ArchiveCounts counts;
  std::vector<std::string> seen;
  while (read_item(reader, item)) {
    decode_item({}, item);
    counts.add(item);
    if (item.outcome == PageOutcome::kPage) seen.push_back(item.page.url + " " + std::string(item.page.body));
    if (item.outcome == PageOutcome::kDamaged) {
      EXPECT_EQ(*item.path, first.path());
      EXPECT_EQ(item.damage.position.file_offset, plain.size() - 6);
    }
  }
  EXPECT_EQ(reader.error(), "");
  EXPECT_EQ(seen, (std::vector<std::string>{"http://a/ a", "http://b/ b"}));
  EXPECT_EQ(reader.bytes_read(), plain.size() + members.size());
  EXPECT_EQ(counts.records, 3u);
  EXPECT_EQ(counts.pages, 2u);
  EXPECT_EQ(counts.page_bytes, 2u);
  EXPECT_EQ(counts.no_page, 1u);
  EXPECT_EQ(counts.damaged, 1u);
}

TEST(ArchiveReader, SaysWhichFileCannotBeRead) {
  ArchiveReader missing({"/nonexistent/x.warc"}, 1000);
  EXPECT_FALSE(missing.check());
  EXPECT_EQ(missing.error(), "/nonexistent/x.warc: No such file or directory");
  ArchiveReader folder({testing::TempDir()}, 1000);
  EXPECT_FALSE(folder.check());
  EXPECT_NE(folder.error().find("Is a directory"), std::string::npos);
}

TEST(ArchiveReader, GivesAHugePagesMemoryBack) {
  const std::string huge = warc_record("resource", "http://huge/", std::string(size_t{8} << 20, 'x'));
  const TemporaryFile file(huge + page_record("http://a/", "a"));
  ArchiveReader reader({file.path()}, size_t{16} << 20);
  ArchiveItem item;
  ASSERT_TRUE(read_item(reader, item));
  EXPECT_EQ(item.record.block.size(), size_t{8} << 20);
  ASSERT_TRUE(read_item(reader, item));
  EXPECT_LT(item.record.block.capacity(), size_t{1} << 20);
}

}  // namespace
}  // namespace ndc::test
