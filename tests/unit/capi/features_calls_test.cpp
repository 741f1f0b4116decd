// The calls without an engine: features are made, compared, described and refused by their status codes.
#include <algorithm>
#include <cstring>
#include <set>

#include "unit/capi/capi_sample.hpp"

namespace nd_test {
namespace {

using sample::article;
using sample::article_html;
using sample::html;
using sample::rewritten;
using sample::url;

using SizedCall = nd_status (*)(const void*, size_t, uint64_t*, size_t*);

std::vector<uint64_t> list(SizedCall call, const std::string& features) {
  size_t count = 0;
  EXPECT_EQ(call(features.data(), features.size(), nullptr, &count), ND_OK) << nd_last_error();
  std::vector<uint64_t> out(count);
  EXPECT_EQ(call(features.data(), features.size(), out.data(), &count), ND_OK);
  EXPECT_EQ(count, out.size());
  return out;
}

nd_result compare(const std::string& a, const std::string& b) {
  nd_result result = filled_with_garbage<nd_result>();
  EXPECT_EQ(nd_features_decide(a.data(), a.size(), b.data(), b.size(), nullptr, &result), ND_OK)
      << nd_last_error();
  return result;
}

bool share(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  const std::set<uint64_t> of_a(a.begin(), a.end());
  return std::any_of(b.begin(), b.end(), [&](uint64_t key) { return of_a.contains(key); });
}

TEST(CapiFeaturesTest, KeysAreDistinctAndSharedByVariantsOnly) {
  const std::string page = features_of(url(1), article_html(1)),
                    variant = features_of(url(2), html(rewritten(article(1), 1, 7))),
                    other = features_of(url(3), article_html(3));
  const std::vector<uint64_t> keys = list(nd_features_keys, page);
  EXPECT_GT(keys.size(), 16U);
  EXPECT_EQ(std::set<uint64_t>(keys.begin(), keys.end()).size(), keys.size());
  EXPECT_TRUE(share(keys, list(nd_features_keys, variant)));
  EXPECT_FALSE(share(keys, list(nd_features_keys, other)));
  EXPECT_EQ(features_of(url(1), article_html(1)), page) << "the same bytes each time";
}

TEST(CapiFeaturesTest, SizedOutputsAreAllOrNothing) {
  const std::string page = features_of(url(1), article_html(1));
  for (const SizedCall call : {SizedCall{nd_features_keys}, SizedCall{nd_features_parts}}) {
    const std::vector<uint64_t> all = list(call, page);
    std::vector<uint64_t> out(all.size() + 1, 77);
    size_t count = all.size() - 1;
    EXPECT_EQ(call(page.data(), page.size(), out.data(), &count), ND_ERR_LIMIT);
    EXPECT_EQ(count, all.size());
    EXPECT_TRUE(std::all_of(out.begin(), out.end(), [](uint64_t value) { return value == 77; }));
    count = all.size() + 1;
    EXPECT_EQ(call(page.data(), page.size(), out.data(), &count), ND_OK);
    EXPECT_EQ(count, all.size());
    EXPECT_EQ(out.back(), 77U);
    EXPECT_TRUE(std::equal(all.begin(), all.end(), out.begin()));
    count = 1;
    EXPECT_EQ(call(page.data(), page.size(), nullptr, &count), ND_ERR_INVALID_ARGUMENT);
  }
}

TEST(CapiFeaturesTest, DamageIsToldEverywhere) {
  const std::string page = features_of(url(1), article_html(1));
  std::string damaged = page, future = page;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  future[4] = 99;
  nd_engine* engine = nullptr;
  ASSERT_EQ(nd_open(nullptr, nullptr, &engine), ND_OK);
  const struct {
    std::string bytes;
    nd_status status;
  } cases[] = {{damaged, ND_ERR_CORRUPT},    {"", ND_ERR_CORRUPT},
               {"x", ND_ERR_CORRUPT},        {page.substr(0, 200), ND_ERR_CORRUPT},
               {page + "x", ND_ERR_CORRUPT}, {future, ND_ERR_UNSUPPORTED_VERSION}};
  for (const auto& [bytes, status] : cases) {
    uint64_t out[1000];
    size_t count = std::size(out);
    nd_result result = ND_RESULT_INIT;
    Buffer buffer;
    EXPECT_EQ(nd_features_keys(bytes.data(), bytes.size(), out, &count), status);
    EXPECT_EQ(nd_features_parts(bytes.data(), bytes.size(), out, &count), status);
    EXPECT_EQ(nd_features_with_site(bytes.data(), bytes.size(), "", 0, &buffer.raw), status);
    EXPECT_EQ(nd_features_representative(bytes.data(), bytes.size(), nullptr, 0, &buffer.raw), status);
    nd_record_info info = filled_with_garbage<nd_record_info>();
    EXPECT_EQ(nd_features_info(bytes.data(), bytes.size(), &info), status);
    EXPECT_TRUE(is_empty(info));
    EXPECT_EQ(nd_features_decide(bytes.data(), bytes.size(), page.data(), page.size(), nullptr, &result),
              status);
    EXPECT_EQ(nd_features_decide(page.data(), page.size(), bytes.data(), bytes.size(), nullptr, &result),
              status);
    EXPECT_EQ(nd_check_features(engine, bytes.data(), bytes.size(), &result), status);
    EXPECT_EQ(nd_query_features(engine, bytes.data(), bytes.size(), &result), status);
    const nd_bytes both[] = {{page.data(), page.size()}, {bytes.data(), bytes.size()}};
    nd_result results[2] = {ND_RESULT_INIT, ND_RESULT_INIT};
    results[0].page_id = results[1].page_id = 5;
    EXPECT_EQ(nd_partition_features(both, 2, nullptr, results), status);
    EXPECT_NE(std::string(nd_last_error()).find("[1]"), std::string::npos) << nd_last_error();
    EXPECT_TRUE(is_empty(results[0]));
    EXPECT_TRUE(is_empty(results[1]));
  }
  EXPECT_EQ(nd_close(engine), ND_OK);
}

// Bytes from the network have any alignment.
TEST(CapiFeaturesTest, RecordsNeedNoAlignment) {
  const std::string page = features_of(url(1), article_html(1));
  for (size_t shift = 0; shift < 8; ++shift) {
    std::vector<char> memory(page.size() + 8);
    std::copy(page.begin(), page.end(), memory.begin() + static_cast<ptrdiff_t>(shift));
    nd_result result = ND_RESULT_INIT;
    EXPECT_EQ(
        nd_features_decide(memory.data() + shift, page.size(), page.data(), page.size(), nullptr, &result),
        ND_OK);
    EXPECT_EQ(result.verdict, ND_EXACT);
  }
}

nd_record_info info_of(const std::string& features) {
  nd_record_info info = filled_with_garbage<nd_record_info>();
  EXPECT_EQ(nd_features_info(features.data(), features.size(), &info), ND_OK) << nd_last_error();
  return info;
}

TEST_F(CapiTest, InfoSaysOfARecordWhatAnEngineSaysOfItsPage) {
  const std::string at = "https://www.a.example/x?1", body = article_html(1);
  check(at, body, 77);
  nd_page_info known = ND_PAGE_INFO_INIT;
  ASSERT_EQ(nd_find_page(engine_, at.data(), at.size(), &known), ND_OK);
  const nd_page page = page_of(at, body, 77);
  Buffer bytes;
  ASSERT_EQ(nd_features_compute(&page, nullptr, &bytes.raw), ND_OK);
  const std::string features = bytes.text();
  const nd_record_info info = info_of(features);
  EXPECT_EQ(std::string(info.url, info.url_size), at);
  EXPECT_EQ(std::string(info.site, info.site_size), "a.example");
  EXPECT_TRUE(info.url > features.data() && info.site + info.site_size <= features.data() + features.size());
  EXPECT_EQ(info.format, 1U);
  EXPECT_EQ(info.contents, uint32_t{ND_RECORD_TEXT | ND_RECORD_KEYS});
  EXPECT_EQ(info.fetched_at_ms, known.last_fetched_at_ms);
  EXPECT_EQ(info.text_width, known.text_width);
  EXPECT_EQ(info.text_hash, known.text_hash);
  EXPECT_EQ(info.key_count, list(nd_features_keys, features).size());
  EXPECT_GT(info.fingerprint_count, 0U);
  EXPECT_EQ(info.flags + info.site_pages + info.reserved, 0U);
}

TEST(CapiFeaturesTest, InfoTellsWhatIsShortCutEmptyOrMadeOtherwise) {
  const std::string no_url, body = article_html(1);
  EXPECT_EQ(info_of(features_of(url(1), "<p>Few words.</p>")).flags, uint32_t{ND_FLAG_SHORT});
  nd_page page = page_of(no_url, body);
  page.flags = ND_PAGE_TRUNCATED;
  Buffer cut;
  ASSERT_EQ(nd_features_compute(&page, nullptr, &cut.raw), ND_OK);
  const std::string cut_features = cut.text();
  EXPECT_EQ(info_of(cut_features).flags, uint32_t{ND_FLAG_TRUNCATED});
  EXPECT_EQ(info_of(cut_features).url_size + info_of(cut_features).site_size, 0U);
  EXPECT_EQ(info_of(features_of(url(1), "")).contents, uint32_t{ND_RECORD_KEYS});
  EXPECT_EQ(info_of(cut_features).made_with, info_of(features_of(url(1), article_html(2))).made_with);
  const OptionSet other{{"x_relaxed_keys", "7"}};
  EXPECT_NE(info_of(cut_features).made_with, info_of(features_of(url(1), body, other)).made_with);
}

std::string representative(const std::string& features) {
  Buffer bytes;
  EXPECT_EQ(nd_features_representative(features.data(), features.size(), nullptr, 0, &bytes.raw), ND_OK)
      << nd_last_error();
  return bytes.text();
}

TEST(CapiFeaturesTest, ARepresentativeIsDecidedAsItsWholeRecordAndFindsNothing) {
  const std::string page = features_of(url(1), article_html(1)), kept = representative(page);
  EXPECT_LT(kept.size(), page.size() * 3 / 4);
  EXPECT_EQ(representative(kept), kept);
  nd_record_info whole = info_of(page), reduced = info_of(kept);
  EXPECT_EQ(std::string(reduced.url, reduced.url_size), url(1));
  EXPECT_EQ(reduced.contents, uint32_t{ND_RECORD_TEXT});
  EXPECT_EQ(reduced.key_count + reduced.fingerprint_count, 0U);
  EXPECT_EQ(reduced.made_with, whole.made_with);
  EXPECT_EQ(list(nd_features_parts, kept), list(nd_features_parts, page));
  nd_engine* engine = nullptr;
  ASSERT_EQ(nd_open(nullptr, nullptr, &engine), ND_OK);
  nd_join* join = nullptr;
  ASSERT_EQ(nd_join_new(nullptr, 500, &join), ND_OK);
  nd_result result = ND_RESULT_INIT;
  const nd_bytes bytes = {kept.data(), kept.size()};
  Buffer buffer;
  size_t count = 0;
  const std::vector<nd_status> refused = {nd_features_keys(kept.data(), kept.size(), nullptr, &count),
                                          nd_features_with_site(kept.data(), kept.size(), "", 0, &buffer.raw),
                                          nd_check_features(engine, kept.data(), kept.size(), &result),
                                          nd_query_features(engine, kept.data(), kept.size(), &result),
                                          nd_partition_features(&bytes, 1, nullptr, &result),
                                          nd_join_add(join, kept.data(), kept.size(), nullptr),
                                          nd_join_find(join, kept.data(), kept.size(), &buffer.raw)};
  for (size_t i = 0; i < refused.size(); ++i)
    EXPECT_EQ(refused[i], ND_ERR_INVALID_ARGUMENT) << i;
  nd_join_free(join);
  EXPECT_EQ(nd_close(engine), ND_OK);
}

// The oracle is the whole record; with every way to decide, also about texts, cut pages and pages without
// text.
TEST(CapiFeaturesTest, NoDecisionMissesWhatARepresentativeIsWithout) {
  const OptionSet by_report{{"decision", "report"}};
  const OptionSet made_for_spots{{"detector", "spotsigs"}, {"keep_text", "true"}};
  const OptionSet by_spots{{"detector", "spotsigs"}, {"decide", "method"}};
  std::vector<std::string> pages;
  for (uint64_t i = 0; i < 18; ++i) {
    const std::string body = i == 7       ? ""
                             : i % 5 == 4 ? "plain words of page " + std::to_string(i % 2)
                                          : html(rewritten(article(i % 4), i % 3, i));
    const std::string at = url(i);
    nd_page page = page_of(at, body);
    page.flags = i % 6 == 5 ? uint32_t{ND_PAGE_TRUNCATED} : 0;
    Buffer bytes;
    ASSERT_EQ(nd_features_compute(&page, made_for_spots, &bytes.raw), ND_OK);
    pages.push_back(bytes.text());
  }
  std::set<int32_t> verdicts;
  for (const nd_options* options : {static_cast<nd_options*>(nullptr), static_cast<nd_options*>(by_report),
                                    static_cast<nd_options*>(by_spots)}) {
    for (const std::string& a : pages) {
      const std::string kept = representative(a);
      for (const std::string& b : pages) {
        nd_result expected = ND_RESULT_INIT, result = ND_RESULT_INIT;
        ASSERT_EQ(nd_features_decide(a.data(), a.size(), b.data(), b.size(), options, &expected), ND_OK)
            << nd_last_error();
        ASSERT_EQ(nd_features_decide(kept.data(), kept.size(), b.data(), b.size(), options, &result), ND_OK);
        EXPECT_EQ(memcmp(&result, &expected, sizeof result), 0);
        verdicts.insert(expected.verdict);
      }
    }
  }
  EXPECT_EQ(verdicts, (std::set<int32_t>{ND_NEW, ND_EXACT, ND_NEAR, ND_NO_TEXT}));
}

TEST(CapiFeaturesTest, ComparisonsAreVerdictsWithoutIds) {
  const std::string page = features_of(url(1), article_html(1));
  const nd_result exact = compare(page, features_of(url(2), article_html(1)));
  EXPECT_EQ(exact.verdict, ND_EXACT);
  EXPECT_EQ(exact.resemblance, 1.0);
  EXPECT_EQ(exact.page_id + exact.group_id + exact.matched_page_id, 0U);
  EXPECT_EQ(compare(page, features_of(url(2), html(rewritten(article(1), 1, 7)))).verdict, ND_NEAR);
  const nd_result different = compare(page, features_of(url(2), article_html(2)));
  EXPECT_EQ(different.verdict, ND_NEW);
  EXPECT_LT(different.resemblance, 0.1);
  // a plays the representative.
  sample::Paragraphs large = article(1);
  const sample::Paragraphs more = article(2, 9);
  large.insert(large.end(), more.begin(), more.end());
  const std::string holds = features_of(url(3), html(large));
  EXPECT_EQ(compare(page, holds).flags, uint32_t{ND_FLAG_CONTAINS});
  EXPECT_EQ(compare(holds, page).flags, uint32_t{ND_FLAG_CONTAINED});
  EXPECT_NEAR(compare(page, holds).page_coverage, compare(holds, page).matched_coverage, 1e-9);
  // Two pages without text are not duplicates.
  const std::string empty = features_of(url(4), "");
  EXPECT_NE(compare(empty, empty).verdict, ND_EXACT);
  EXPECT_NE(compare(empty, page).verdict, ND_NEAR);
}

TEST_F(CapiTest, FeaturesAndPagesGetTheSameAnswers) {
  nd_engine* by_features = nullptr;
  ASSERT_EQ(nd_open(nullptr, nullptr, &by_features), ND_OK);
  for (uint64_t i = 0; i < 40; ++i) {
    const uint64_t seed = i * 7 % 10;
    const std::string at = i % 9 == 8 ? url(i - 8) : url(i),
                      body = i == 13 ? "" : html(rewritten(article(seed), i % 3, i));
    const nd_result expected = check(at, body);
    const std::string features = features_of(at, body);
    nd_result result = ND_RESULT_INIT, asked = ND_RESULT_INIT;
    ASSERT_EQ(nd_query_features(by_features, features.data(), features.size(), &asked), ND_OK);
    ASSERT_EQ(nd_check_features(by_features, features.data(), features.size(), &result), ND_OK)
        << nd_last_error();
    EXPECT_EQ(asked.verdict, result.verdict) << i;
    EXPECT_EQ(asked.matched_page_id, result.matched_page_id);
    EXPECT_EQ(asked.probability, result.probability);
    EXPECT_EQ(asked.group_id, result.group_id == result.page_id && asked.page_id == 0 ? 0 : result.group_id);
    EXPECT_EQ(memcmp(&result, &expected, sizeof result), 0)
        << i << ": " << result.verdict << " " << expected.verdict;
  }
  EXPECT_EQ(nd_close(by_features), ND_OK);
}

struct Partition {
  std::vector<std::string> features;
  std::vector<nd_bytes> bytes() const {
    std::vector<nd_bytes> out;
    for (const std::string& each : features)
      out.push_back({each.data(), each.size()});
    return out;
  }
};

Partition small_set() {
  Partition set;
  for (uint64_t i = 0; i < 12; ++i)
    set.features.push_back(features_of(url(i), html(rewritten(article(i % 3), i / 6, 10 + i))));
  set.features.push_back(features_of(url(20), ""));
  set.features.push_back(features_of(url(21), ""));
  return set;
}

TEST(CapiPartitionTest, ASmallSet) {
  const Partition set = small_set();
  const std::vector<nd_bytes> bytes = set.bytes();
  std::vector<nd_result> results(bytes.size(), nd_result ND_RESULT_INIT);
  ASSERT_EQ(nd_partition_features(bytes.data(), bytes.size(), nullptr, results.data()), ND_OK)
      << nd_last_error();
  std::set<uint64_t> groups;
  for (size_t i = 0; i < results.size(); ++i) {
    const nd_result& result = results[i];
    EXPECT_EQ(result.page_id, i + 1);
    groups.insert(result.group_id);
    if (i >= 12) {
      EXPECT_EQ(result.verdict, ND_NO_TEXT);
      EXPECT_EQ(result.group_id, i + 1);
      continue;
    }
    EXPECT_EQ((result.group_id - 1) % 3, i % 3) << "groups are the three articles";
    if (result.group_id == i + 1) {
      EXPECT_EQ(result.verdict, ND_NEW);
      EXPECT_EQ(result.matched_page_id, 0U);
    } else {
      EXPECT_TRUE(result.verdict == ND_EXACT || result.verdict == ND_NEAR);
      EXPECT_EQ(result.matched_page_id, result.group_id);
      EXPECT_EQ(results[result.group_id - 1].group_id, result.group_id)
          << "a representative founds its group";
    }
  }
  EXPECT_EQ(groups.size(), 5U);
}

TEST(CapiPartitionTest, ResultsOfEveryStride) {
  const Partition set = small_set();
  const std::vector<nd_bytes> bytes = set.bytes();
  std::vector<nd_result> expected(bytes.size(), nd_result ND_RESULT_INIT);
  ASSERT_EQ(nd_partition_features(bytes.data(), bytes.size(), nullptr, expected.data()), ND_OK);
  for (const size_t stride : {sizeof(nd_result), sizeof(nd_result) + 8, sizeof(nd_result) + 40}) {
    std::vector<uint64_t> memory(stride / 8 * bytes.size() + 1, 0xa5a5a5a5a5a5a5a5U);
    auto* base = reinterpret_cast<unsigned char*>(memory.data());
    const auto size = static_cast<uint32_t>(stride);
    for (size_t i = 0; i < bytes.size(); ++i)
      memcpy(base + i * stride, &size, sizeof size);
    ASSERT_EQ(nd_partition_features(bytes.data(), bytes.size(), nullptr, reinterpret_cast<nd_result*>(base)),
              ND_OK)
        << stride;
    for (size_t i = 0; i < bytes.size(); ++i) {
      const size_t known = std::min(stride, sizeof(nd_result));
      EXPECT_EQ(
          memcmp(base + i * stride + 4, reinterpret_cast<const unsigned char*>(&expected[i]) + 4, known - 4),
          0)
          << stride;
      EXPECT_TRUE(is_zero(base + i * stride + known, stride - known));
    }
    EXPECT_EQ(memory.back(), 0xa5a5a5a5a5a5a5a5U) << "nothing behind the array is touched";
  }
}

TEST(CapiPartitionTest, ImpossibleArraysAreRefused) {
  const Partition set = small_set();
  const std::vector<nd_bytes> bytes = set.bytes();
  std::vector<nd_result> results(bytes.size(), nd_result ND_RESULT_INIT);
  results[3].struct_size = sizeof(nd_result) + 8;
  EXPECT_EQ(nd_partition_features(bytes.data(), bytes.size(), nullptr, results.data()),
            ND_ERR_INVALID_ARGUMENT);
  results[3].struct_size = sizeof(nd_result);
  for (const uint32_t size : {0U, 56U, 87U, 89U, 0xffffffffU}) {
    results[0].struct_size = size;
    EXPECT_EQ(nd_partition_features(bytes.data(), bytes.size(), nullptr, results.data()),
              ND_ERR_INVALID_ARGUMENT)
        << size;
  }
  results[0].struct_size = sizeof(nd_result);
  EXPECT_EQ(nd_partition_features(bytes.data(), size_t{1} << 32, nullptr, results.data()), ND_ERR_LIMIT);
  results[0].page_id = 9;
  EXPECT_EQ(nd_partition_features(nullptr, bytes.size(), nullptr, results.data()), ND_ERR_INVALID_ARGUMENT);
  EXPECT_TRUE(is_empty(results[0]));
}

std::string signature_of(const std::string& body) {
  const std::string no_url;
  const nd_page page = page_of(no_url, body);
  uint8_t bytes[ND_SIGNATURE_MAX_SIZE];
  size_t size = sizeof bytes;
  EXPECT_EQ(nd_signature_compute(&page, nullptr, bytes, &size), ND_OK) << nd_last_error();
  return {reinterpret_cast<const char*>(bytes), size};
}

const uint8_t* data_of(const std::string& signature) {
  return reinterpret_cast<const uint8_t*>(signature.data());
}

TEST(CapiSignatureTest, ComputeCompareAndKeys) {
  const std::string a = signature_of(article_html(1)),
                    variant = signature_of(html(rewritten(article(1), 1, 7))),
                    other = signature_of(article_html(2)), none = signature_of("");
  EXPECT_LE(a.size(), size_t{ND_SIGNATURE_MAX_SIZE});
  EXPECT_EQ(none.size(), 0U);
  double similarity = -1;
  ASSERT_EQ(nd_signature_compare(data_of(a), a.size(), data_of(a), a.size(), &similarity), ND_OK);
  EXPECT_EQ(similarity, 1);
  ASSERT_EQ(nd_signature_compare(data_of(a), a.size(), data_of(variant), variant.size(), &similarity), ND_OK);
  EXPECT_GT(similarity, 0.4);
  ASSERT_EQ(nd_signature_compare(data_of(a), a.size(), data_of(other), other.size(), &similarity), ND_OK);
  EXPECT_LT(similarity, 0.2);
  ASSERT_EQ(nd_signature_compare(data_of(a), a.size(), nullptr, 0, &similarity), ND_OK);
  EXPECT_EQ(similarity, 0);
  size_t count = 0;
  ASSERT_EQ(nd_signature_keys(data_of(a), a.size(), nullptr, &count), ND_OK);
  std::vector<uint64_t> keys(count), keys_of_variant(count);
  EXPECT_GT(count, 0U);
  count = keys.size() - 1;
  EXPECT_EQ(nd_signature_keys(data_of(a), a.size(), keys.data(), &count), ND_ERR_LIMIT);
  ASSERT_EQ(nd_signature_keys(data_of(a), a.size(), keys.data(), &count), ND_OK);
  ASSERT_EQ(nd_signature_keys(data_of(variant), variant.size(), keys_of_variant.data(), &count), ND_OK);
  EXPECT_TRUE(share(keys, keys_of_variant));
  count = 5;
  ASSERT_EQ(nd_signature_keys(nullptr, 0, keys.data(), &count), ND_OK);
  EXPECT_EQ(count, 0U);
}

// In whatever order the pages come, and whatever the one before was.
TEST(CapiReaderTest, AnswersAsTheCallsAlone) {
  OptionSet spots{{"detector", "spotsigs"}};
  for (const nd_options* options : {static_cast<nd_options*>(nullptr), static_cast<nd_options*>(spots)}) {
    nd_reader* reader = nullptr;
    ASSERT_EQ(nd_reader_new(options, &reader), ND_OK);
    const std::string own_url = url(1);
    const std::string bodies[] = {article_html(1),
                                  "",
                                  "<p>" + std::string(300'000, 'x'),
                                  "<meta charset=gbk><p>\xD6\xD0\xCE\xC4\xCD\xF8\xD2\xB3\xA1\xA3",
                                  article_html(2),
                                  "%PDF-1.4",
                                  "<title>one</title>plain &amp; short"};
    for (int step = 0; step < 40; ++step) {
      const nd_page page = page_of(own_url, bodies[step * 5 % 7]);
      Buffer alone, by_reader;
      ASSERT_EQ(nd_features_compute(&page, options, &alone.raw), ND_OK);
      ASSERT_EQ(nd_reader_features(reader, &page, &by_reader.raw), ND_OK);
      EXPECT_EQ(by_reader.text(), alone.text());
      ASSERT_EQ(nd_extract(&page, options, &alone.raw), ND_OK);
      ASSERT_EQ(nd_reader_extract(reader, &page, &by_reader.raw), ND_OK);
      EXPECT_EQ(by_reader.text(), alone.text());
      EXPECT_EQ(nd_reader_describe(reader, &page, &by_reader.raw),
                nd_describe_page(&page, options, &alone.raw));
      EXPECT_EQ(by_reader.text(), alone.text());
      uint8_t signatures[2][ND_SIGNATURE_MAX_SIZE] = {};
      size_t sizes[2] = {ND_SIGNATURE_MAX_SIZE, ND_SIGNATURE_MAX_SIZE};
      ASSERT_EQ(nd_signature_compute(&page, nullptr, signatures[0], &sizes[0]), ND_OK);
      ASSERT_EQ(nd_reader_signature(reader, &page, signatures[1], &sizes[1]), ND_OK);
      EXPECT_EQ(sizes[0], sizes[1]);
      EXPECT_TRUE(std::equal(signatures[0], signatures[0] + sizes[0], signatures[1]));
    }
    nd_reader_free(reader);
  }
}

// What each call does with an option that is not its default: by what the option acts on.
TEST(CapiOptionEffectTest, ACallWithoutAnEngineRefusesWhatHasNoEffectInIt) {
  const std::string own_url = url(1), body = article_html(1);
  const nd_page page = page_of(own_url, body);
  const std::string features = features_of(own_url, body);
  const std::string described = features_of(own_url, body, OptionSet{{"detector", "simhash64"}});
  const nd_bytes given{features.data(), features.size()};
  Buffer out;
  const auto calls = [&](const nd_options* options) {
    nd_reader* reader = nullptr;
    nd_join* join = nullptr;
    nd_result result = ND_RESULT_INIT;
    uint8_t signature[ND_SIGNATURE_MAX_SIZE];
    size_t size = sizeof signature;
    std::string taken;
    const auto call = [&](const char* name, nd_status status) {
      const std::string said = nd_last_error();
      if (status == ND_OK) taken.append(taken.empty() ? "" : " ").append(name);
      if (status == ND_OK) return;
      EXPECT_EQ(status, ND_ERR_INVALID_ARGUMENT) << name;
      EXPECT_NE(said.find("has no effect here: it acts on "), std::string::npos) << name << ": " << said;
    };
    call("extract", nd_extract(&page, options, &out.raw));
    call("features", nd_features_compute(&page, options, &out.raw));
    call("reader", nd_reader_new(options, &reader));
    call("signature", nd_signature_compute(&page, options, signature, &size));
    call("decide", nd_features_decide(given.data, given.size, given.data, given.size, options, &result));
    call("partition", nd_partition_features(&given, 1, options, &result));
    call("join", nd_join_new(options, 500, &join));
    nd_reader_free(reader);
    nd_join_free(join);
    return taken;
  };
  EXPECT_EQ(calls(OptionSet{}), "extract features reader signature decide partition join");
  EXPECT_EQ(calls(OptionSet{{"same_document", "0.5"}}),
            "extract features reader signature decide partition join")
      << "its default";
  EXPECT_EQ(calls(OptionSet{{"tokens_limit", "100"}}), "extract features reader signature");
  EXPECT_EQ(calls(OptionSet{{"x_relaxed_keys", "8"}}), "extract features reader");
  EXPECT_EQ(calls(OptionSet{{"spotsigs", "false"}}), "features reader");
  EXPECT_EQ(calls(OptionSet{{"keep_text", "true"}}), "features reader");
  EXPECT_EQ(calls(OptionSet{{"x_rounds", "2"}}), "decide partition join");
  EXPECT_EQ(calls(OptionSet{{"decision", "report"}}),
            "extract features reader signature decide partition join")
      << "it counts all text, and one region";
  EXPECT_EQ(calls(OptionSet{{"same_document", "0.9"}}), "decide partition");
  EXPECT_EQ(calls(OptionSet{{"check_work_limit", "1"}}), "partition");
  for (const char* key : {"memory_budget_bytes", "x_candidates_limit", "x_similar_pages_limit"})
    EXPECT_EQ(calls(OptionSet{{key, "9"}}), "") << key;
  EXPECT_EQ(calls(OptionSet{{"durability", "sync"}}), "");

  const OptionSet detector{{"detector", "simhash64"}};
  EXPECT_EQ(nd_describe_page(&page, detector, &out.raw), ND_OK) << nd_last_error();
  EXPECT_EQ(nd_describe_page(&page, OptionSet{{"detector", "simhash64"}, {"keep_text", "true"}}, &out.raw),
            ND_ERR_INVALID_ARGUMENT);
  const OptionSet by_method{{"detector", "simhash64"}, {"decide", "method"}};
  nd_result result = ND_RESULT_INIT;
  EXPECT_EQ(nd_features_decide(described.data(), described.size(), described.data(), described.size(),
                               by_method, &result),
            ND_OK)
      << nd_last_error();
  EXPECT_EQ(nd_features_compute(&page, by_method, &out.raw), ND_ERR_INVALID_ARGUMENT);
  EXPECT_STREQ(nd_last_error(), "option decide has no effect here: it acts on decisions");
  EXPECT_EQ(nd_partition_features(&given, 1, OptionSet{{"resemblance", "0.5"}}, &result),
            ND_ERR_INVALID_ARGUMENT)
      << "under the other options";
}

TEST(CapiReaderTest, OptionsAreCopiedAndMustGoTogether) {
  nd_reader* reader = nullptr;
  {
    OptionSet options{{"detector", "mwo"}};
    ASSERT_EQ(nd_reader_new(options, &reader), ND_OK);
  }
  const std::string own_url = url(1), body = article_html(1);
  const nd_page page = page_of(own_url, body);
  Buffer description;
  ASSERT_EQ(nd_reader_describe(reader, &page, &description.raw), ND_OK);
  EXPECT_NE(description.text().find("mwo"), std::string::npos);
  size_t size = 1;
  uint8_t signature[1];
  EXPECT_EQ(nd_reader_signature(reader, &page, signature, &size), ND_ERR_LIMIT);
  EXPECT_EQ(nd_reader_describe(reader, &page, &description.raw), ND_OK) << "after a failure";
  nd_reader_free(reader);
}

TEST(CapiSignatureTest, ATooSmallFieldIsTold) {
  const std::string body = article_html(1);
  const std::string no_url;
  const nd_page page = page_of(no_url, body);
  uint8_t bytes[ND_SIGNATURE_MAX_SIZE] = {};
  size_t size = 0;
  ASSERT_EQ(nd_signature_compute(&page, nullptr, nullptr, &size), ND_OK);
  ASSERT_GT(size, 0U);
  const size_t need = size;
  size = need - 1;
  EXPECT_EQ(nd_signature_compute(&page, nullptr, bytes, &size), ND_ERR_LIMIT);
  EXPECT_EQ(size, need);
  EXPECT_TRUE(is_zero(bytes, sizeof bytes));
}

TEST(CapiSignatureTest, WhatIsNoSignatureIsTold) {
  std::string signature = signature_of(article_html(1));
  double similarity = 1;
  EXPECT_EQ(nd_signature_compare(data_of(signature), 50, data_of(signature), signature.size(), &similarity),
            ND_ERR_CORRUPT);
  EXPECT_EQ(similarity, 0);
  signature[0] = 9;
  uint64_t keys[50];
  size_t count = 50;
  EXPECT_EQ(nd_signature_keys(data_of(signature), signature.size(), keys, &count),
            ND_ERR_UNSUPPORTED_VERSION);
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(nd_signature_compare(data_of(signature), signature.size(), data_of(signature), signature.size(),
                                 &similarity),
            ND_ERR_UNSUPPORTED_VERSION);
}

}  // namespace
}  // namespace nd_test
