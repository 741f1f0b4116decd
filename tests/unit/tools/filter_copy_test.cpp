// What is copied, by a plan made by hand; what a file that has changed gives.
#include "filter_copy.hpp"

#include <gtest/gtest.h>

#include "output_capture.hpp"
#include "output_file.hpp"
#include "unit/archives/archive_builder.hpp"

namespace ndc::test {
namespace {

std::string record_of(std::string_view id, std::string_view body) {
  return warc_record("response", "http://" + std::string(id) + ".example/", http_response(body),
                     {"WARC-Record-ID: <" + std::string(id) + ">",
                      "Content-Type: application/http; msgtype=response", "X-Own: kept", " and continued"});
}

// The plan of these records, each a page.
FilterPlan plan_of(const std::string& bytes, const std::vector<size_t>& kept, bool revisits) {
  FilterPlan plan;
  for (const WarcRecord& record : read_all(bytes).records) {
    FilteredPage page;
    page.position = record.position;
    page.record_id = record.record_id;
    page.target_uri = record.target_uri;
    page.payload_hash = payload_hash_of(record);
    plan.add(std::move(page));
  }
  plan.decide(kept, revisits);
  return plan;
}

std::string filtered(const FilterPlan& plan, const std::string& bytes, bool replaces, std::string& error,
                     size_t limit = size_t{1} << 20) {
  return output_of([&](OutputFile& output) {
    StatusLine status(false);
    FilterCopy copy(plan, output, false, replaces, "1.2.3", status);
    MemorySource source(bytes);
    copy.copy(0, source, limit, kDefaultMaxExpansion);
    copy.finish();
    error = copy.error();
  });
}

// A request with these fields of its own.
std::string request_of(std::string_view id, std::string_view url,
                       const std::vector<std::string>& fields = {}) {
  std::vector<std::string> all = {"WARC-Record-ID: <" + std::string(id) + ">"};
  all.insert(all.end(), fields.begin(), fields.end());
  return warc_record("request", url, "GET / HTTP/1.1\r\n\r\n", all);
}

std::string naming(std::string page, const std::vector<std::string>& ids) {
  std::string fields;
  for (const std::string& id : ids)
    fields += "WARC-Concurrent-To: <" + id + ">\r\n";
  return page.insert(page.find("X-Own"), fields);
}

TEST(FilterCopy, AStrangerTakesNoRecordOfAPageThatStays) {
  const std::string url = "http://a.example/";
  const struct {
    std::string page, request, stranger;
    bool goes;
  } cases[] = {
      // The request names its page, or the page the request, or neither the other.
      {record_of("a", "one"), request_of("q", url, {"WARC-Concurrent-To: <a>"}),
       naming(record_of("b", "one"), {"q"}), false},
      {naming(record_of("a", "one"), {"q"}), request_of("q", url), naming(record_of("b", "one"), {"q"}),
       false},
      {naming(record_of("a", "one"), {"x", "q"}), request_of("q", url), naming(record_of("b", "one"), {"q"}),
       false},
      {record_of("a", "one"), request_of("q", url), naming(record_of("b", "one"), {"q"}), false},
      // It names the stranger, but a page that stays names it.
      {naming(record_of("a", "one"), {"x", "q"}), request_of("q", url, {"WARC-Concurrent-To: <b>"}),
       record_of("b", "one"), false},
      {record_of("a", "one"), request_of("q", url, {"WARC-Concurrent-To: <b>", "WARC-Concurrent-To: <a>"}),
       record_of("b", "one"), false},
      // The stranger's own.
      {record_of("a", "one"), request_of("q", "http://b.example/"), naming(record_of("b", "one"), {"x", "q"}),
       true},
      {record_of("a", "one"), request_of("q", url, {"WARC-Concurrent-To: <b>"}), record_of("b", "one"), true},
  };
  for (const auto& each : cases) {
    std::string error;
    const std::string bytes = each.page + each.request + each.stranger;
    FilterPlan plan;
    for (const WarcRecord& record : read_all(bytes).records) {
      if (record.type != "response") continue;
      FilteredPage page;
      page.position = record.position;
      page.record_id = record.record_id;
      page.target_uri = record.target_uri;
      page.concurrent_to = record.concurrent_to;
      plan.add(std::move(page));
    }
    plan.decide({0, 0}, false);
    EXPECT_EQ(filtered(plan, bytes, false, error), each.goes ? each.page : each.page + each.request);
    EXPECT_EQ(error, "");
  }
}

TEST(FilterCopy, CopiesWhatStays) {
  const std::string a = record_of("a", "one"), b = record_of("b", "two"), c = record_of("c", "three");
  for (const std::string& bytes : {a + b + c, gzip(a) + gzip(b) + gzip(c), gzip(a + b + c)}) {
    std::string error;
    EXPECT_EQ(filtered(plan_of(bytes, {0, 0, 2}, false), bytes, false, error), a + c);
    EXPECT_EQ(error, "");
  }
}

TEST(FilterCopy, ARevisitKeepsTheFieldsThatAreNotItsOwn) {
  const std::string bytes = record_of("a", "one") + record_of("b", "one");
  std::string error;
  const std::string out = filtered(plan_of(bytes, {0, 0}, true), bytes, true, error);
  ASSERT_EQ(error, "");
  const ReadAll all = read_all(out);
  ASSERT_EQ(all.records.size(), 2u);
  EXPECT_TRUE(all.damages.empty());
  EXPECT_EQ(all.records[1].type, "revisit");
  EXPECT_EQ(all.records[1].record_id, "b");
  EXPECT_EQ(all.records[1].refers_to.record_id, "a");
  EXPECT_EQ(all.records[1].block, http_response(""));
  const std::string revisit = out.substr(record_of("a", "one").size());
  EXPECT_NE(revisit.find("X-Own: kept\r\n and continued\r\n"), std::string::npos);
  EXPECT_NE(revisit.find("/warc/1.0/revisit/identical-payload-digest"), std::string::npos);
}

TEST(FilterCopy, ChunksAreNoPartOfAPayload) {
  WarcRecord plain, chunks, other;
  plain.content_type = chunks.content_type = other.content_type = "application/http; msgtype=response";
  plain.block = http_response("the same");
  chunks.block = http_response(chunked("the same", 3), {"Transfer-Encoding: chunked"});
  other.block = http_response("another");
  EXPECT_EQ(payload_hash_of(plain), payload_hash_of(chunks));
  EXPECT_NE(payload_hash_of(plain), payload_hash_of(other));
}

TEST(FilterCopy, AFileThatHasChangedIsAnError) {
  const std::string a = record_of("a", "one"), b = record_of("b", "two");
  const FilterPlan plan = plan_of(a + b, {0, 1}, false);
  std::string error;
  filtered(plan, a, false, error);
  EXPECT_EQ(error, "an input has changed while it was read");
}

TEST(FilterCopy, ABlockBehindTheLimitIsCopiedWhole) {
  const std::string a = record_of("a", std::string(200000, 'x')), b = record_of("b", "two");
  std::string error;
  EXPECT_EQ(filtered(plan_of(a + b, {0, 1}, false), a + b, false, error, 1000), a + b);
  EXPECT_EQ(error, "");
}

}  // namespace
}  // namespace ndc::test
