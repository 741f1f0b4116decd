// The JSON lines of pages, groups and events, and that they are read back as written.
#include "store_lines.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "archives/warc_date.hpp"
#include "output_text.hpp"

namespace ndc::test {
namespace {

TEST(IsoTime, IsWrittenAsItIsRead) {
  EXPECT_EQ(iso_time(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(iso_time(1714979289000), "2024-05-06T07:08:09Z");
  EXPECT_EQ(iso_time(1714979289007), "2024-05-06T07:08:09.007Z");
  EXPECT_EQ(iso_time(-1), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(iso_time(INT64_MAX), "9999-12-31T23:59:59.999Z");
  EXPECT_EQ(iso_time(INT64_MIN), "0000-01-01T00:00:00Z");
  for (int64_t time = -62167219200000; time < 253402300799999; time += 86399999 * 997LL)
    ASSERT_EQ(parse_warc_date(iso_time(time)), time);
}

TEST(StoreLines, OfAPage) {
  nd_page_info info = ND_PAGE_INFO_INIT;
  info.verdict = ND_NEAR;
  info.flags = ND_FLAG_RECRAWL | ND_FLAG_CONTAINED;
  info.page_id = 7;
  info.group_id = 3;
  info.first_fetched_at_ms = 1714979289000;
  info.last_fetched_at_ms = 1714979289001;
  info.text_width = 99;
  info.probability = 0.87654;
  EXPECT_EQ(page_line(info, "http://a/\xff\"\n"),
            "{\"url\":\"http://a/\xef\xbf\xbd\\\"\\n\",\"page_id\":7,\"group_id\":3,\"verdict\":\"near\","
            "\"flags\":[\"recrawl\",\"contained\"],\"first_fetched\":\"2024-05-06T07:08:09Z\","
            "\"last_fetched\":\"2024-05-06T07:08:09.001Z\",\"width\":99,\"probability\":0.8765,\"related_"
            "group_id\":null}");
}

TEST(StoreLines, OfAGroupAndAnEvent) {
  nd_group_info group{sizeof(nd_group_info), 1, 5, 0, 2};
  EXPECT_EQ(group_line(group), "{\"group_id\":5,\"representative\":null,\"pages\":2}");
  nd_event event{sizeof(nd_event), ND_EVENT_REMOVED, 4, 9, 5, 0, 0};
  EXPECT_EQ(event_line(event),
            "{\"sequence\":4,\"event\":\"removed\",\"page_id\":9,\"old_group_id\":5,\"new_group_id\":null,"
            "\"at\":\"1970-01-01T00:00:00Z\"}");
}

}  // namespace
}  // namespace ndc::test
