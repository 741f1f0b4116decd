// Many archives as one sequence, with positions and revisits.
#include "archives/archive_reader.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "archive_builder.hpp"
#include "archives/archive_item.hpp"

namespace ndc::test {
namespace {

// A file that is removed with the test.
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

// The output of a reader from a place on, as text.
std::vector<std::string> words_from(const std::vector<std::string>& paths,
                                    const std::optional<ArchivePlace>& place) {
  ArchiveReader reader(paths, 1000);
  EXPECT_TRUE(reader.check());
  if (place) reader.start_at(*place);
  std::vector<std::string> words;
  ArchiveItem item;
  while (read_item(reader, item)) {
    const InputPosition& position = item.readable ? item.record.position : item.damage.position;
    words.push_back(*item.path + " " + to_text(position) + " " +
                    (item.readable ? item.record.target_uri + " " + item.record.block : item.damage.reason));
  }
  EXPECT_EQ(reader.error(), "");
  EXPECT_EQ(reader.bytes_read(), reader.total_bytes());
  return words;
}

// However the archives are packed, and whatever damage they have.
TEST(ArchiveReader, GoesOnAtEveryRecord) {
  const auto page = [](int number) {
    return page_record("http://a/" + std::to_string(number), "text " + std::to_string(number));
  };
  std::string broken = gzip(page(20) + page(21) + std::string(3000, 'x'));
  broken[broken.size() - 5] ^= 0x55;  // in the checksum of the member
  const std::string spread = page(30) + page(31) + page(32);
  const TemporaryFile plain(page(1) + "junk\r\n" + page(2) + page(3).substr(0, 100) + "\r\n" + page(4));
  const TemporaryFile members(gzip(page(10)) + "garbage" + gzip(page(11)) + gzip(page(12)));
  const TemporaryFile one_member(gzip(page(13) + "junk\r\n" + page(14) + page(15)));
  const TemporaryFile damaged(broken + gzip(page(22)));
  // Records that begin in one member and end in another.
  const TemporaryFile across(gzip(spread.substr(0, 100)) + gzip(spread.substr(100, 300)) +
                             gzip(spread.substr(400)));
  const std::vector<std::string> paths = {plain.path(), members.path(), one_member.path(), damaged.path(),
                                          across.path()};
  const std::vector<std::string> all = words_from(paths, std::nullopt);
  ASSERT_GE(all.size(), 16u);
  ArchiveReader reader(paths, 1000);
  ASSERT_TRUE(reader.check());
  ArchiveItem item;
  size_t records = 0;
  for (size_t i = 0; read_item(reader, item); ++i) {
    if (!item.readable) continue;
    ++records;
    const std::vector<std::string> rest(all.begin() + static_cast<std::ptrdiff_t>(i), all.end());
    EXPECT_EQ(words_from(paths, ArchivePlace{item.input, item.record.position}), rest) << i;
  }
  EXPECT_GE(records, 12u);
}

TEST(ArchiveReader, SaysWhenAPlaceIsBehindTheEnd) {
  const TemporaryFile file(gzip(page_record("http://a/", "a")));
  ArchiveReader reader({file.path()}, 1000);
  ASSERT_TRUE(reader.check());
  reader.start_at({0, {0, 100000}});
  ArchiveItem item;
  EXPECT_FALSE(read_item(reader, item));
  EXPECT_EQ(reader.error(), file.path() + ": byte 0 + 100000 decompressed is behind its end");
}

TEST(ArchiveReader, SaysWhichFileCannotBeRead) {
  ArchiveReader missing({"/nonexistent/x.warc"}, 1000);
  EXPECT_FALSE(missing.check());
  EXPECT_EQ(missing.error(), "/nonexistent/x.warc: cannot be read: No such file or directory");
  const TemporaryFile words("only words");
  ArchiveReader text({words.path()}, 1000);
  EXPECT_FALSE(text.check());
  EXPECT_NE(text.error().find("looks like plain text"), std::string::npos);
}

// A run that continues in the middle finds what lies before.
TEST(ArchiveReader, ResolvesRevisitsFromEveryPlace) {
  const std::string page = warc_record("response", "http://a/", http_response("words"),
                                       {"WARC-Record-ID: <urn:uuid:1>", "Content-Type: application/http"});
  const std::string revisit = warc_record("revisit", "http://b/", "", {"WARC-Refers-To: <urn:uuid:1>"});
  const TemporaryFile first(gzip(page)), second(revisit + revisit);
  const std::vector<std::string> paths = {first.path(), second.path()};
  for (const ArchivePlace& place :
       {ArchivePlace{0, {}}, ArchivePlace{1, {}}, ArchivePlace{1, {revisit.size(), 0}}}) {
    ArchiveReader reader(paths, 1000);
    ASSERT_TRUE(reader.check());
    reader.start_at(place);
    WarcRecord last;
    RecordDamage damage;
    size_t count = 0;
    while (reader.next(last, damage) == ArchiveReader::Outcome::kRecord)
      ++count;
    EXPECT_EQ(count, 3 - place.input - (place.position.file_offset > 0 ? 1 : 0));
    EXPECT_EQ(last.type, "response");
    EXPECT_EQ(last.target_uri, "http://b/");
    EXPECT_EQ(last.block, http_response("words"));
  }
}

TEST(ArchiveReader, ResolvesWhatIsNotModifiedFromEveryPlace) {
  const std::vector<std::string> http = {"Content-Type: application/http"};
  const std::vector<std::string> fields = {
      "WARC-Profile: http://netpreserve.org/warc/1.0/revisit/server-not-modified",
      "WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"};
  const std::string records[] = {
      warc_record("response", "http://a/", http_response("first"), http),
      warc_record("response", "http://a/", http_response("last"), http),
      warc_record("response", "http://a/", http_response("gone", {}, "HTTP/1.1 404 Not Found"), http),
      warc_record("response", "http://b/", http_response(""), {http[0], fields[1]}),
      warc_record("revisit", "http://a/", "", fields),
      warc_record("revisit", "http://a/", "HTTP/1.1 304 Not Modified\r\n\r\n", {fields[1]})};
  std::string bytes;
  for (const std::string& record : records)
    bytes += record;
  const TemporaryFile file(bytes);
  uint64_t offset = 0;
  for (const std::string& record : records) {
    ArchiveReader reader({file.path()}, 1000);
    ASSERT_TRUE(reader.check());
    reader.start_at({0, {offset, 0}});
    WarcRecord last;
    RecordDamage damage;
    while (reader.next(last, damage) == ArchiveReader::Outcome::kRecord) {
      if (!last.is_revisit) continue;
      EXPECT_EQ(last.type, "response");
      EXPECT_EQ(last.block, http_response("last"));
      EXPECT_EQ(last.own_status, 0);
    }
    offset += record.size();
  }
}

TEST(ArchiveReader, LeavesARevisitItsOwnStatus) {
  const std::string page = warc_record("response", "http://a/", http_response("words"),
                                       {"WARC-Record-ID: <urn:uuid:1>", "Content-Type: application/http"});
  const std::pair<const char*, int> cases[] = {{"HTTP/1.1 301 Moved\r\nLocation: /\r\n\r\n", 301},
                                               {"HTTP/1.1 200 OK\r\n\r\n", 200},
                                               {"HTTP/1.1 304 Not Modified\r\n\r\n", 0},
                                               {"", 0},
                                               {"no header", 0}};
  std::string records = page;
  for (const auto& [block, status] : cases)
    records += warc_record("revisit", "http://b/", block, {"WARC-Refers-To: <urn:uuid:1>"});
  const TemporaryFile file(records);
  ArchiveReader reader({file.path()}, 1000);
  ASSERT_TRUE(reader.check());
  WarcRecord record;
  RecordDamage damage;
  ASSERT_EQ(reader.next(record, damage), ArchiveReader::Outcome::kRecord);
  for (const auto& [block, status] : cases) {
    ASSERT_EQ(reader.next(record, damage), ArchiveReader::Outcome::kRecord);
    EXPECT_EQ(record.own_status, status) << block;
    EXPECT_EQ(record.block, http_response("words"));
  }
}

// In one gzip member everything before the page is gone through for each revisit.
TEST(ArchiveReader, ReadsAgainNoMoreThanItsLimit) {
  const std::string filler = warc_record("metadata", "http://f/", std::string(size_t{9} << 20, 'x'));
  const std::string page = warc_record("response", "http://a/", http_response("words"),
                                       {"WARC-Record-ID: <urn:uuid:1>", "Content-Type: application/http"});
  std::string revisits;
  for (int i = 0; i < 12; ++i)
    revisits += warc_record("revisit", "http://b/" + std::to_string(i), "", {"WARC-Refers-To: <urn:uuid:1>"});
  const TemporaryFile file(gzip(filler + page + revisits));
  const auto count = [&](uint64_t max_expansion) {
    InputLimits limits;
    limits.max_expansion = max_expansion;
    ArchiveReader reader({file.path()}, 1000, limits);
    WarcRecord record;
    RecordDamage damage;
    std::pair<size_t, size_t> found_and_costly;
    while (reader.next(record, damage) == ArchiveReader::Outcome::kRecord) {
      if (!record.is_revisit) continue;
      ++(record.type == "response" ? found_and_costly.first : found_and_costly.second);
      EXPECT_EQ(record.too_costly, record.type != "response");
    }
    return found_and_costly;
  };
  EXPECT_EQ(count(1), std::pair(size_t{7}, size_t{5}));
  EXPECT_GT(count(kDefaultMaxExpansion).first, 7U);
}

TEST(ArchiveReader, ReportsDamageBeforeTheFirstRecord) {
  const TemporaryFile file("\x1f\x8b\x08garbage" + gzip(page_record("http://a/", "a")));
  ArchiveReader reader({file.path()}, 1000);
  ASSERT_TRUE(reader.check());
  ArchiveItem item;
  ASSERT_TRUE(read_item(reader, item));
  EXPECT_FALSE(item.readable);
  ASSERT_TRUE(read_item(reader, item));
  EXPECT_EQ(item.record.target_uri, "http://a/");
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
