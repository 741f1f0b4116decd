// Bookmarks of a run as text and back, and texts that are none.
#include "dedup_mark.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ndc::test {
namespace {

DedupMark full_mark() {
  DedupMark mark;
  mark.identity = UINT64_MAX;
  mark.run = 7;
  mark.slots = 16;
  mark.item = 99;
  mark.place = {3, {123456789012, 42}};
  mark.behind = true;
  mark.named = true;
  mark.totals.counts = {1, 2, 3, 4, 5, 6, 7};
  mark.totals.duplicates = 8;
  mark.totals.output_bytes = 9;
  mark.totals.metadata_bytes = 10;
  mark.before = KnownText{true, UINT64_MAX - 1, 5};
  return mark;
}

TEST(DedupMark, IsReadAsItWasWritten) {
  const DedupMark mark = full_mark();
  const std::optional<DedupMark> read = parse_dedup_mark(to_text(mark));
  ASSERT_TRUE(read);
  EXPECT_EQ(to_text(*read), to_text(mark));
  EXPECT_EQ(read->identity, mark.identity);
  EXPECT_EQ(read->place.input, 3u);
  EXPECT_EQ(read->place.position.file_offset, 123456789012u);
  EXPECT_EQ(read->place.position.member_offset, 42u);
  EXPECT_TRUE(read->behind);
  EXPECT_FALSE(read->complete);
  EXPECT_TRUE(read->named);
  EXPECT_EQ(read->totals.counts.damaged, 7u);
  EXPECT_EQ(read->totals.duplicates, 8u);
  EXPECT_EQ(read->totals.output_bytes, 9u);
  EXPECT_EQ(read->totals.metadata_bytes, 10u);
  EXPECT_EQ(read->before, mark.before);
  EXPECT_LT(to_text(mark).size(), 1000u);  // a bookmark takes 4096
}

TEST(DedupMark, TellsAnUnknownUrlFromNoPage) {
  DedupMark mark = full_mark();
  mark.before = KnownText{};
  EXPECT_EQ(parse_dedup_mark(to_text(mark))->before, KnownText{});
  mark.before.reset();
  EXPECT_EQ(parse_dedup_mark(to_text(mark))->before, std::nullopt);
}

TEST(DedupMark, RefusesWhatIsNoMark) {
  const std::string text = to_text(full_mark());
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(parse_dedup_mark(std::string_view(text).substr(0, size))) << size;
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    return other.replace(other.find(from), from.size(), to);
  };
  EXPECT_TRUE(parse_dedup_mark(changed("\"item\":99", "\"item\":98")));
  EXPECT_FALSE(parse_dedup_mark(changed("\"item\":99", "\"item\":-1")));
  EXPECT_FALSE(parse_dedup_mark(changed("\"item\":99", "\"item\":\"99\"")));
  EXPECT_FALSE(parse_dedup_mark(changed("\"item\":99", "\"items\":99")));
  EXPECT_FALSE(parse_dedup_mark(changed("\"version\":1", "\"version\":2")));
  EXPECT_FALSE(parse_dedup_mark(changed("\"metadata_bytes\":10", "\"metadata_bytes\":-1")));
  EXPECT_FALSE(parse_dedup_mark(changed("\"behind\":true", "\"behind\":1")));
  EXPECT_FALSE(parse_dedup_mark(changed("\"width\":5", "\"width\":null")));
  for (const char* other : {"", "[]", "7", "null", "{}", "\xff", "{\"version\":1}"})
    EXPECT_FALSE(parse_dedup_mark(other)) << other;
}

TEST(PageMark, IsReadAsItWasWritten) {
  const std::optional<PageMark> read = parse_page_mark(to_text(PageMark{1, 2, {true, 3, 4}}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->run, 1u);
  EXPECT_EQ(read->item, 2u);
  EXPECT_EQ(read->before, (KnownText{true, 3, 4}));
  EXPECT_EQ(parse_page_mark(to_text(PageMark{1, 2, {}}))->before, KnownText{});
  EXPECT_FALSE(parse_page_mark("{\"version\":1,\"run\":1,\"item\":2}"));
}

}  // namespace
}  // namespace ndc::test
