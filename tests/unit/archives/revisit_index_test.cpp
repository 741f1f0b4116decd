// Which record a revisit refers to, and how many are remembered.
#include "archives/revisit_index.hpp"

#include <gtest/gtest.h>

#include <string>

#include "archive_builder.hpp"

namespace ndc::test {
namespace {

constexpr const char* kSha1OfNothing = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
constexpr const char* kSha1 = "sha1:IB723SXHRURE4K3OBCSGFMVJFYNXLAWT";
constexpr size_t kNoLimit = 1000;

// A response at this place.
WarcRecord response_at(uint64_t place, const std::string& url, const std::string& digest,
                       const std::string& block = http_response("words")) {
  WarcRecord record;
  record.type = "response";
  record.target_uri = url;
  record.date = "2024-01-0" + std::to_string(place);
  record.record_id = "urn:" + std::to_string(place);
  record.payload_digest = digest;
  record.block = block;
  record.position.file_offset = place;
  return record;
}

WarcRecord revisit_of(const std::string& url, const std::string& digest = {}) {
  WarcRecord revisit;
  revisit.type = "revisit";
  revisit.is_revisit = true;
  revisit.target_uri = url;
  revisit.payload_digest = digest;
  return revisit;
}

WarcRecord not_modified(const std::string& url, const std::string& digest = {}) {
  WarcRecord revisit = revisit_of(url, digest);
  revisit.is_not_modified = true;
  return revisit;
}

// 0: nowhere.
uint64_t place_of(const RevisitIndex& index, const WarcRecord& revisit) {
  const auto place = index.find(revisit);
  return place ? place->position.file_offset : 0;
}

TEST(RevisitIndex, ADigestInAnySpellingIsTheSame) {
  RevisitIndex index;
  index.note(response_at(1, "http://a/", kSha1), 0, kNoLimit);
  index.note(response_at(2, "http://b/", kSha1), 0, kNoLimit);
  for (const char* digest :
       {kSha1, "sha1:ib723sxhrure4k3obcsgfmvjfynxlawt", "IB723SXHRURE4K3OBCSGFMVJFYNXLAWT"}) {
    EXPECT_EQ(place_of(index, revisit_of("http://c/", digest)), 1u) << digest;
    EXPECT_TRUE(RevisitIndex::is_meant(revisit_of("http://c/", digest), response_at(1, "http://a/", kSha1)));
  }
  EXPECT_EQ(place_of(index, revisit_of("http://c/", "sha1:QK53YTA6BBFBWPEAJIC6K6UB36CVAFIN")), 0u);
}

TEST(RevisitIndex, TheDigestOfNothingRefersToNothing) {
  RevisitIndex index;
  index.note(response_at(1, "http://a/", kSha1OfNothing, http_response("")), 0, kNoLimit);
  // Some writers sign so what they have not looked at.
  index.note(response_at(2, "http://b/", kSha1OfNothing), 0, kNoLimit);
  for (const char* digest : {kSha1OfNothing, "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709"}) {
    EXPECT_EQ(place_of(index, revisit_of("http://c/", digest)), 0u);
    EXPECT_EQ(place_of(index, not_modified("http://c/", digest)), 0u);
    EXPECT_FALSE(
        RevisitIndex::is_meant(revisit_of("http://c/", digest), response_at(2, "http://b/", kSha1OfNothing)));
  }
  WarcRecord named = revisit_of("http://c/");
  named.refers_to.record_id = "urn:1";
  EXPECT_EQ(place_of(index, named), 0u) << "it has no payload";
  named.refers_to.record_id = "urn:2";
  EXPECT_EQ(place_of(index, named), 2u);
}

TEST(RevisitIndex, NotModifiedIsTheLastTextOfTheUrl) {
  RevisitIndex index;
  index.note(response_at(1, "http://a/", kSha1), 0, kNoLimit);
  index.note(response_at(2, "http://b/", ""), 0, kNoLimit);
  EXPECT_EQ(place_of(index, not_modified("http://a/", kSha1OfNothing)), 1u);
  EXPECT_EQ(place_of(index, not_modified("http://c/", kSha1)), 0u)
      << "no digest makes another URL's page of it";
  index.note(response_at(3, "http://a/", ""), 0, kNoLimit);
  for (const char* status : {"HTTP/1.1 404 Not Found", "HTTP/1.1 302 Found", "HTTP/1.1 0 OK", "ICY 200 OK"})
    index.note(response_at(4, "http://a/", "", http_response("other", {}, status)), 0, kNoLimit);
  index.note(response_at(5, "http://a/", kSha1OfNothing, http_response("")), 0, kNoLimit);
  EXPECT_EQ(place_of(index, not_modified("http://a/")), 3u);
  EXPECT_EQ(place_of(index, revisit_of("http://a/")), 0u) << "only the server can say so";
  // What it names by itself comes first.
  WarcRecord named = not_modified("http://a/");
  named.refers_to.record_id = "urn:1";
  EXPECT_EQ(place_of(index, named), 1u);
  named.refers_to = {"", "http://b/", "2024-01-02"};
  EXPECT_EQ(place_of(index, named), 2u);
  named.refers_to = {"urn:none", "http://none/", "2024-01-02"};
  EXPECT_EQ(place_of(index, named), 3u);
}

TEST(RevisitIndex, ARevisitIsATextOfItsUrl) {
  RevisitIndex index;
  index.note(response_at(1, "http://a/", ""), 0, kNoLimit);
  index.note(response_at(2, "http://b/", kSha1), 0, kNoLimit);
  index.note_found(revisit_of("http://a/", kSha1));
  EXPECT_EQ(place_of(index, not_modified("http://a/")), 2u);
  WarcRecord moved = revisit_of("http://b/");
  moved.refers_to.record_id = "urn:1";
  moved.own_status = 301;
  index.note_found(moved);
  index.note_found(revisit_of("http://b/", "sha1:none"));
  EXPECT_EQ(place_of(index, not_modified("http://b/")), 2u);
}

TEST(RevisitIndex, IsBounded) {
  RevisitIndex index;
  index.note(response_at(1, "http://a/", kSha1), 0, 1);
  index.note(response_at(2, "http://a/", ""), 0, 1);
  EXPECT_EQ(place_of(index, not_modified("http://a/")), 1u);
}

}  // namespace
}  // namespace ndc::test
