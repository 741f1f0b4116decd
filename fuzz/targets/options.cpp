// Options by name and value, then an engine in memory with those that were accepted, in which two pages are
// checked, and the features and the signature of a page. Each message is UTF-8 within its bound, an accepted
// value reads back as itself, and the engine answers.
//
// Input: lines NAME=VALUE up to a NUL, the Content-Type up to a NUL, the page.
#include <ndcapi.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "fuzz/acting_options.hpp"
#include "fuzz/expectation.hpp"
#include "fuzz/input_reader.hpp"
#include "fuzz/option_list.hpp"
#include "fuzz/signature_expectations.hpp"
#include "fuzz/well_formed_text.hpp"

namespace {

using nd::fuzz::ActingOptions;
using nd::fuzz::expect;

constexpr size_t kMostOptions = 32;
constexpr size_t kMostPageBytes = 8 * 1024;
constexpr size_t kMostMessageBytes = 511;  // ndcapi.h, nd_last_error
// Whatever was asked for: what is looked for here is not how much memory an engine may take.
constexpr const char* kMemoryBudget = "8388608";

void check_message(nd_status status) {
  const std::string_view message = nd_last_error();
  expect(message.size() <= kMostMessageBytes && nd::fuzz::is_well_formed_utf8(message),
         "a message is no UTF-8, or too long");
  expect(message.empty() == (status == ND_OK), "a message without an error, or an error without a message");
  expect(status <= ND_OK && status >= ND_ERR_INTERNAL, "an unknown status");
  expect(status != ND_ERR_INTERNAL, "a fault inside");
}

void check(nd_status status, nd_status other = ND_OK) {
  check_message(status);
  expect(status == ND_OK || status == other, "a call fails");
}

std::string value_of(const nd_options* options, const std::string& name) {
  char text[8300];  // the longest list of words has 8192
  size_t size = sizeof text;
  check(nd_options_get(options, name.c_str(), text, &size));
  expect(std::strlen(text) == size, "a value has another length than it says");
  return std::string(text, size);
}

void set(nd_options* options, const std::string& name, const std::string& value) {
  const nd_status status = nd_options_set(options, name.c_str(), value.c_str());
  check(status, ND_ERR_INVALID_ARGUMENT);
  if (status != ND_OK) return;
  const bool is_alias = name == "verify" && (value == "lcs" || value == "method");
  const std::string& key = is_alias ? std::string("decide") : name;
  const std::string in_force = value_of(options, key);
  check(nd_options_set(options, key.c_str(), in_force.c_str()));
  expect(value_of(options, key) == in_force, "a value changes when it is set again");
}

void set_all(nd_options* options, std::string_view lines) {
  for (size_t count = 0; count < kMostOptions && !lines.empty(); ++count) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    const size_t equals = std::min(line.find('='), line.size());
    set(options, std::string(line.substr(0, equals)),
        std::string(line.substr(std::min(equals + 1, line.size()))));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
  }
}

void check_result(const nd_result& result) {
  expect(result.verdict >= ND_NEW && result.verdict <= ND_NO_TEXT, "an unknown verdict");
  expect(result.page_id != 0 && result.group_id != 0, "a page without an id");
  for (const double share : {result.resemblance, result.containment, result.page_coverage,
                             result.matched_coverage, result.probability})
    expect(share >= 0 && share <= 1, "a share is not in 0..1");
}

nd_page page_of(std::string_view url, std::string_view content_type, std::span<const uint8_t> body) {
  nd_page page = ND_PAGE_INIT;
  page.url = url.data();
  page.url_size = url.size();
  page.content_type = content_type.data();
  page.content_type_size = content_type.size();
  page.body = body.data();
  page.body_size = body.size();
  page.fetched_at_ms = 1700000000000;
  return page;
}

void check_pages(nd_engine* engine, std::string_view content_type, std::span<const uint8_t> body) {
  const nd_page page = page_of("http://a.example/1", content_type, body);
  const nd_page part = page_of("http://b.example/2", content_type, body.first(body.size() / 2));
  const nd_page same = page_of("http://a.example/3", content_type, body);
  nd_result result = ND_RESULT_INIT;
  uint64_t first_id = 0;
  for (const nd_page* each : {&page, &part, &same, &page}) {
    check(nd_check_page(engine, each, &result));
    check_result(result);
    if (first_id == 0) first_id = result.page_id;
    check(nd_query_page(engine, each, &result));
  }
  nd_buffer text = ND_BUFFER_INIT;
  check(nd_explain(engine, first_id, result.page_id, &text), ND_ERR_NOT_FOUND);
  expect(nd::fuzz::is_clean_text({text.data, text.size}), "an explanation is no UTF-8");
  check(nd_metrics(engine, &text));
  nd_buffer_free(&text);
}

// A page twice: if it has a pair, its copy is it.
void join_with_itself(const nd_buffer& features, const nd_options* options) {
  nd_join* join = nullptr;
  const nd_status made = nd_join_new(ActingOptions(options, "comparisons"), 500, &join);
  check(made, ND_ERR_INVALID_ARGUMENT);
  if (made != ND_OK) return;
  nd_buffer matches = ND_BUFFER_INIT;
  uint64_t bytes = 0;
  for (int copy = 0; copy < 2; ++copy)
    check(nd_join_add(join, features.data, features.size, &bytes));
  check(nd_join_earlier(join, 1, &matches));
  expect(matches.size <= sizeof(nd_join_match), "more pairs than pages");
  check(nd_join_find(join, features.data, features.size, &matches));
  expect(matches.size <= 2 * sizeof(nd_join_match), "more pairs than pages");
  nd_buffer_free(&matches);
  nd_join_free(join);
}

bool same(const nd_buffer& a, const nd_buffer& b) {
  return std::string_view(a.data, a.size) == std::string_view(b.data, b.size);
}

// A reader, the second time with its memory used, answers as the call alone does.
void read_twice(const nd_page& page, const nd_options* options, const nd_buffer& features) {
  const ActingOptions extracting(options, "pages keys"), describing(options, "pages keys descriptions"),
      sketching(options, "pages");
  nd_reader* reader = nullptr;
  check(nd_reader_new(options, &reader));
  nd_buffer alone = ND_BUFFER_INIT;
  nd_buffer bytes = ND_BUFFER_INIT;
  for (int time = 0; time < 2; ++time) {
    check(nd_reader_features(reader, &page, &bytes));
    expect(same(bytes, features), "a reader computes other features");
    check(nd_extract(&page, extracting, &alone));
    check(nd_reader_extract(reader, &page, &bytes));
    expect(same(bytes, alone), "a reader extracts something else");
    const nd_status described = nd_describe_page(&page, describing, &alone);
    expect(nd_reader_describe(reader, &page, &bytes) == described, "a reader answers with another status");
    expect(same(bytes, alone), "a reader describes something else");
    uint8_t signatures[2][ND_SIGNATURE_MAX_SIZE] = {};
    size_t sizes[2] = {ND_SIGNATURE_MAX_SIZE, ND_SIGNATURE_MAX_SIZE};
    check(nd_signature_compute(&page, sketching, signatures[0], &sizes[0]));
    check(nd_reader_signature(reader, &page, signatures[1], &sizes[1]));
    expect(sizes[0] == sizes[1] && std::equal(signatures[0], signatures[0] + sizes[0], signatures[1]),
           "a reader makes another signature");
  }
  nd_buffer_free(&bytes);
  nd_buffer_free(&alone);
  nd_reader_free(reader);
}

void check_features(const nd_options* options, std::string_view content_type, std::span<const uint8_t> body) {
  const nd_page page = page_of("http://a.example/1", content_type, body);
  const ActingOptions recording(options, "pages keys descriptions features");
  nd_buffer features = ND_BUFFER_INIT;
  const nd_status computed = nd_features_compute(&page, recording, &features);
  check(computed, ND_ERR_INVALID_ARGUMENT);
  nd_result result = ND_RESULT_INIT;
  if (computed == ND_OK) {
    const ActingOptions deciding(options, "comparisons decisions");
    check(nd_features_decide(features.data, features.size, features.data, features.size, deciding, &result),
          ND_ERR_INVALID_ARGUMENT);
    nd::fuzz::expect_signature(page, ActingOptions(options, "pages"));
    join_with_itself(features, options);
    read_twice(page, recording, features);
  }
  nd_buffer text = ND_BUFFER_INIT;
  check(nd_describe_page(&page, options, &text), ND_ERR_INVALID_ARGUMENT);
  expect(nd::fuzz::is_clean_text({text.data, text.size}), "a description is no UTF-8");
  nd_buffer_free(&text);
  nd_buffer_free(&features);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  [[maybe_unused]] static const bool kAreAllWritten =
      (nd::fuzz::expect_all_options_in(NDC_OPTIONS_DICTIONARY), true);
  nd::fuzz::InputReader input(data, size);
  nd_options* options = nullptr;
  check(nd_options_new(&options));
  set_all(options, input.take_text());
  check(nd_options_set(options, "memory_budget_bytes", kMemoryBudget));
  const std::string content_type(input.take_text());
  const auto body = input.take_bytes(kMostPageBytes);

  nd_engine* engine = nullptr;
  const nd_status opened = nd_open(nullptr, options, &engine);
  check(opened, ND_ERR_INVALID_ARGUMENT);
  expect((engine != nullptr) == (opened == ND_OK), "an engine and an error, or neither");
  if (engine != nullptr) {
    check_pages(engine, content_type, body);
    check(nd_close(engine));
  }
  check_features(options, content_type, body);
  nd_options_free(options);
  return 0;
}
