// Two byte strings as features, which come from other machines. With flags their sizes and checksums are made
// to fit, so that a fuzzer comes behind these. What is accepted is compared, reduced, partitioned and checked
// by an engine. The same byte strings, and as many of their first bytes as a signature has, are read as
// signatures.
//
// Input: a byte of flags, a byte of options, the size of the first record in two bytes, the first record, the
// second.
#include <ndcapi.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "fuzz/acting_options.hpp"
#include "fuzz/expectation.hpp"
#include "fuzz/input_reader.hpp"
#include "fuzz/option_list.hpp"
#include "fuzz/signature_expectations.hpp"
#include "fuzz/well_formed_text.hpp"
#include "page/feature_layout.hpp"

namespace {

using nd::engine::FeatureHeader;
using nd::fuzz::expect;
using Bytes = std::vector<uint8_t>;

enum Flags : unsigned {
  kMendFirst = 1 << 0,
  kMendSecond = 1 << 1,
  kSame =
      1 << 2,  // the second record is the first, with what follows as changes: pairs of a place and a byte
  kFirstOfAnother = 1 << 3,  // the first signature is of another version
  kSecondOfAnother = 1 << 4,
};

constexpr size_t kMostRecordBytes = 64 * 1024;

// Chosen by four bits of an input, so that some occur twice.
constexpr const char* kDetectors[] = {"lcs",   "spotsigs", "i-match-s", "lsh-s",  "moz-vector", "simhash64",
                                      "mwo",   "shingles", "minhash",   "cosine", "simhash128", "i-match",
                                      "exact", "lcs",      "lcs",       "lcs"};
static_assert(std::size(kDetectors) == 16);

void check_message(nd_status status) {
  const std::string_view message = nd_last_error();
  expect(message.empty() == (status == ND_OK), "a message without an error, or an error without a message");
  expect(nd::fuzz::is_well_formed_utf8(message), "a message is no UTF-8");
}

// Expects ND_OK or an error that ndcapi.h names. True for ND_OK.
bool succeeds(nd_status status) {
  check_message(status);
  expect(status == ND_OK || status == ND_ERR_CORRUPT || status == ND_ERR_UNSUPPORTED_VERSION ||
             status == ND_ERR_INVALID_ARGUMENT,
         "an error that is not named");
  return status == ND_OK;
}

bool succeeds_or(nd_status expected, nd_status status) {
  if (status != expected) return succeeds(status);
  check_message(status);
  return false;
}

void succeed(nd_status status) {
  check_message(status);
  expect(status == ND_OK, "a call fails");
}

size_t size_of(const FeatureHeader& header) {
  return sizeof header + size_t{header.block_count} * sizeof(nd::engine::FeatureBlock) +
         size_t{header.key_count} * sizeof(uint64_t) +
         size_t{header.spot_count} * sizeof(nd::engine::PackedSpot) +
         size_t{header.block_spot_count} * sizeof(nd::engine::FeatureBlockSpot) +
         size_t{header.sentence_count} * sizeof(nd::engine::FeatureSentence) +
         size_t{header.site_count} * sizeof(nd::engine::CountedPart) +
         (size_t{header.symbol_count} + header.title_count) * sizeof(nd::engine::Symbol) + header.url_size +
         header.site_size + header.text_size + header.description_size;
}

// As long as its header says, if that is not too much, and with its checksum.
void mend(Bytes& record) {
  FeatureHeader header;
  if (record.size() < sizeof header) record.resize(sizeof header);
  std::memcpy(&header, record.data(), sizeof header);
  if (size_of(header) <= kMostRecordBytes) record.resize(size_of(header));
  constexpr size_t kCovered = offsetof(FeatureHeader, checksum) + sizeof header.checksum;
  const uint64_t checksum = nd::stable_hash(
      {reinterpret_cast<const char*>(record.data()) + kCovered, record.size() - kCovered}, header.method);
  std::memcpy(record.data() + offsetof(FeatureHeader, checksum), &checksum, sizeof checksum);
}

Bytes changed(Bytes record, nd::fuzz::InputReader& input) {
  while (!input.at_end() && !record.empty()) {
    const size_t at = input.take_number(0, UINT16_MAX);
    record[at % record.size()] ^= input.take_byte();
  }
  return record;
}

void check_result(const nd_result& result) {
  expect(result.verdict >= ND_NEW && result.verdict <= ND_NO_TEXT, "an unknown verdict");
  for (const double share : {result.resemblance, result.containment, result.page_coverage,
                             result.matched_coverage, result.probability})
    expect(share >= 0 && share <= 1, "a share is not in 0..1");
}

using ReadNumbers = nd_status (*)(const void*, size_t, uint64_t*, size_t*);

std::vector<uint64_t> numbers(ReadNumbers read, const Bytes& record) {
  size_t count = 0;
  succeed(read(record.data(), record.size(), nullptr, &count));
  std::vector<uint64_t> out(count);
  if (count != 0) succeed(read(record.data(), record.size(), out.data(), &count));
  expect(count == out.size(), "the count changes");
  return out;
}

// Of a record that is accepted: what it says lies within it, and what is kept of it is decided as it is
// itself.
void expect_representative_decides(const Bytes& record, const Bytes& other, const nd_options* options) {
  nd_record_info info = ND_RECORD_INFO_INIT;
  succeed(nd_features_info(record.data(), record.size(), &info));
  const auto* end = reinterpret_cast<const char*>(record.data()) + record.size();
  expect(info.url_size <= record.size() && info.url + info.url_size <= end, "the URL is not in the record");
  expect(info.site_size <= record.size() && info.site + info.site_size <= end,
         "the site is not in the record");
  nd_buffer kept = ND_BUFFER_INIT;
  succeed(nd_features_representative(record.data(), record.size(), nullptr, 0, &kept));
  succeed(nd_features_info(kept.data, kept.size, &info));
  expect((info.contents & ND_RECORD_KEYS) == 0, "a representative with keys");
  nd_result whole = ND_RESULT_INIT, reduced = ND_RESULT_INIT;
  const nd::fuzz::ActingOptions deciding(options, "comparisons decisions");
  const nd_status status =
      nd_features_decide(record.data(), record.size(), other.data(), other.size(), deciding, &whole);
  expect(nd_features_decide(kept.data, kept.size, other.data(), other.size(), deciding, &reduced) == status,
         "a representative is refused otherwise");
  expect(std::memcmp(&whole, &reduced, sizeof whole) == 0, "a representative is decided otherwise");
  nd_buffer_free(&kept);
}

// A record with what its site knows is one, and knowing it twice changes nothing.
void decide_on_site(const Bytes& record, const Bytes& other, size_t times) {
  nd_site_model* model = nullptr;
  succeed(nd_site_model_new(&model));
  const std::vector<uint64_t> parts = numbers(nd_features_parts, record);
  for (size_t i = 0; i < times; ++i)
    succeed(nd_site_model_learn(model, parts.data(), parts.size()));
  nd_buffer saved = ND_BUFFER_INIT;
  succeed(nd_site_model_save(model, parts.data(), parts.size(), &saved));
  size_t weights = 0;
  succeed(nd_site_model_weights(model, record.data(), record.size(), nullptr, &weights));
  for (size_t i = 0; i < times; ++i)
    succeed(nd_site_model_forget(model, parts.data(), parts.size()));
  nd_site_model_free(model);
  nd_buffer on_site = ND_BUFFER_INIT;
  if (succeeds(nd_features_with_site(record.data(), record.size(), saved.data, saved.size, &on_site))) {
    nd_result result = ND_RESULT_INIT;
    if (succeeds(
            nd_features_decide(on_site.data, on_site.size, other.data(), other.size(), nullptr, &result)))
      check_result(result);
    nd_buffer kept = ND_BUFFER_INIT;
    succeed(nd_features_representative(record.data(), record.size(), saved.data, saved.size, &kept));
    nd_result by_kept = ND_RESULT_INIT;
    if (succeeds(nd_features_decide(kept.data, kept.size, other.data(), other.size(), nullptr, &by_kept)))
      expect(std::memcmp(&result, &by_kept, sizeof result) == 0, "its site is told otherwise");
    nd_buffer_free(&kept);
    nd_buffer again = ND_BUFFER_INIT;
    succeed(nd_features_with_site(on_site.data, on_site.size, saved.data, saved.size, &again));
    expect(std::string_view(on_site.data, on_site.size) == std::string_view(again.data, again.size),
           "the same site is known twice");
    nd_buffer_free(&again);
  }
  nd_buffer_free(&on_site);
  nd_buffer_free(&saved);
}

// Any bytes as what another site has learned.
void merge(const Bytes& saved) {
  nd_site_model* model = nullptr;
  succeed(nd_site_model_new(&model));
  static_cast<void>(succeeds(nd_site_model_merge(model, saved.data(), saved.size())));
  nd_site_model_free(model);
}

nd_options* options_of(unsigned choice) {
  nd_options* options = nullptr;
  succeed(nd_options_new(&options));
  succeed(nd_options_set(options, "memory_budget_bytes", "8388608"));
  succeed(nd_options_set(options, "detector", kDetectors[choice & 15]));
  const bool by_method = (choice & 16) != 0 && std::string_view(kDetectors[choice & 15]) != "lcs";
  if (by_method) succeed(nd_options_set(options, "decide", "method"));
  if ((choice & 32) != 0 && !by_method) succeed(nd_options_set(options, "x_trustable", "true"));
  succeed(nd_options_set(options, "keep_text", (choice & 64) != 0 ? "true" : "false"));
  if ((choice & 128) != 0 && !by_method) succeed(nd_options_set(options, "x_edit_budget", "4"));
  return options;
}

void compare(const Bytes& a, const Bytes& b, const nd_options* options) {
  nd_result result = ND_RESULT_INIT;
  const nd::fuzz::ActingOptions deciding(options, "comparisons decisions");
  if (succeeds(nd_features_decide(a.data(), a.size(), b.data(), b.size(), deciding, &result)))
    check_result(result);
  const nd_bytes both[] = {{a.data(), a.size()}, {b.data(), b.size()}};
  nd_result results[] = {ND_RESULT_INIT, ND_RESULT_INIT};
  if (succeeds(nd_partition_features(both, 2, deciding, results))) {
    for (const nd_result& each : results)
      check_result(each);
  }
}

void check_in_engine(const Bytes& a, const Bytes& b, const nd_options* options) {
  nd_engine* engine = nullptr;
  if (!succeeds(nd_open(nullptr, options, &engine))) return;
  for (const Bytes* record : {&a, &b}) {
    nd_result asked = ND_RESULT_INIT;
    const bool is_taken = succeeds(nd_query_features(engine, record->data(), record->size(), &asked));
    expect(is_taken == succeeds(nd_learn_features(engine, record->data(), record->size())),
           "a page is learned that nobody may ask about, or the other way round");
  }
  uint64_t ids[2] = {0, 0};
  size_t taken = 0;
  for (const Bytes* record : {&a, &b, &a}) {
    nd_result result = ND_RESULT_INIT;
    nd_result asked = ND_RESULT_INIT;
    const bool is_answered = succeeds(nd_query_features(engine, record->data(), record->size(), &asked));
    expect(is_answered == succeeds(nd_check_features(engine, record->data(), record->size(), &result)),
           "a page is refused that was asked about");
    if (!is_answered) continue;
    expect(asked.verdict == result.verdict, "a page is checked otherwise than it was asked about");
    check_result(result);
    expect(result.page_id != 0 && result.group_id != 0, "a page without an id");
    ids[std::exchange(taken, 1)] = result.page_id;
  }
  if (taken == 1) {
    nd_buffer text = ND_BUFFER_INIT;
    const nd_status explained = nd_explain(engine, ids[0], ids[1], &text);
    check_message(explained);
    expect(explained == ND_OK || explained == ND_ERR_NOT_FOUND, "pages cannot be explained");
    expect(nd::fuzz::is_clean_text({text.data, text.size}), "an explanation is no UTF-8");
    nd_buffer_free(&text);
  }
  // Told that the second page is in the first one's group, it is.
  nd_result told = ND_RESULT_INIT, result = ND_RESULT_INIT;
  told.verdict = ND_NEAR;
  told.group_id = ids[0];
  if (succeeds_or(ND_ERR_NOT_FOUND, nd_apply_outcome(engine, b.data(), b.size(), &told, &result)))
    expect(result.group_id == told.group_id, "a page is not where it was said to be");
  nd_stats stats = ND_STATS_INIT;
  succeed(nd_get_stats(engine, &stats));
  succeed(nd_close(engine));
}

Bytes signature_of(Bytes record, bool is_of_another_version) {
  record.resize(ND_SIGNATURE_MAX_SIZE);
  record.front() = is_of_another_version ? 2 : 1;
  return record;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  [[maybe_unused]] static const bool kAreAllDrawn = (nd::fuzz::expect_all_detectors(kDetectors), true);
  nd::fuzz::InputReader input(data, size);
  const unsigned flags = input.take_byte();
  const unsigned choice = input.take_byte();
  const auto first = input.take_bytes(input.take_number(0, UINT16_MAX));
  Bytes a(first.begin(), first.end());
  if ((flags & kMendFirst) != 0) mend(a);
  Bytes b;
  if ((flags & kSame) != 0) {
    b = changed(a, input);
  } else {
    const auto second = input.rest();
    b.assign(second.begin(), second.end());
  }
  if ((flags & kMendSecond) != 0) mend(b);

  nd::fuzz::expect_signatures_read(a, b);
  nd::fuzz::expect_signatures_read(signature_of(a, (flags & kFirstOfAnother) != 0),
                                   signature_of(b, (flags & kSecondOfAnother) != 0));
  nd_options* const options = options_of(choice);
  for (const Bytes* record : {&a, &b}) {
    size_t count = 0;
    nd_record_info info = ND_RECORD_INFO_INIT;
    if (!succeeds(nd_features_info(record->data(), record->size(), &info))) continue;
    expect_representative_decides(*record, a, options);
    if (!succeeds(nd_features_keys(record->data(), record->size(), nullptr, &count))) continue;
    numbers(nd_features_keys, *record);
    decide_on_site(*record, a, 1);
    decide_on_site(*record, a, 9);
  }
  merge(a);
  compare(a, b, options);
  check_in_engine(a, b, options);
  nd_options_free(options);
  return 0;
}
