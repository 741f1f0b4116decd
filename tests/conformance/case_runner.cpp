// Runs a case through the C interface and prints what it answers, call by call, as the other bindings do.
#include "conformance/case_runner.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "conformance/case_page.hpp"
#include "conformance/case_values.hpp"

namespace nd_test {
namespace {

class CaseRun {
 public:
  explicit CaseRun(Faults& faults) : faults_(faults) {}
  CaseRun(const CaseRun&) = delete;
  CaseRun& operator=(const CaseRun&) = delete;
  ~CaseRun() { nd_close(engine_); }

  void run(const Json& test_case);

 private:
  using Call = void (CaseRun::*)(CaseRecord& step, CaseRecord& expect);
  static Call call_named(const std::string& name);

  void check(CaseRecord& step, CaseRecord& expect) { decide(step, expect, nd_check_page, true); }
  void query(CaseRecord& step, CaseRecord& expect) { decide(step, expect, nd_query_page, false); }
  void check_with_text(CaseRecord& step, CaseRecord& expect);
  void own_text(CaseRecord& step, CaseRecord& expect);
  void check_features(CaseRecord& step, CaseRecord& expect);
  void open(CaseRecord& step, CaseRecord& expect);
  void remove(CaseRecord& step, CaseRecord& expect);
  void find(CaseRecord& step, CaseRecord& expect);
  void members(CaseRecord& step, CaseRecord& expect);
  void events(CaseRecord& step, CaseRecord& expect);
  void explain(CaseRecord& step, CaseRecord& expect);
  void stats(CaseRecord& step, CaseRecord& expect);
  void features(CaseRecord& step, CaseRecord& expect);
  void decide_pair(CaseRecord& step, CaseRecord& expect);
  void signature(CaseRecord& step, CaseRecord& expect);
  void signature_compare(CaseRecord& step, CaseRecord& expect);

  using Decide = nd_status (*)(nd_engine*, const nd_page*, nd_result*);
  void decide(CaseRecord& step, CaseRecord& expect, Decide call, bool remember);
  void answered(const std::string& name, const nd_result& result, CaseRecord& expect, bool remember);
  nd_status add_site(CaseRecord& step, std::string& features);
  void compare_ratios(const nd_result& result, CaseRecord& expect);
  // True if the call was to succeed and did. An expected error is compared here.
  bool succeeded(nd_status status, CaseRecord& expect);
  const CasePage& page(const Json& name);
  // The page that was founded, or last checked, under this name. Throws std::invalid_argument.
  static uint64_t id_in(const std::map<std::string, uint64_t>& ids, const Json& name);
  void compare_id(CaseRecord& expect, const std::string& key, const std::map<std::string, uint64_t>& ids,
                  uint64_t actual);

  Faults& faults_;
  nd_engine* engine_ = nullptr;
  CaseOptions options_;
  std::map<std::string, CasePage> pages_;
  std::set<std::string> used_pages_;
  std::map<std::string, uint64_t> checked_;  // page_id of the last check of a page
  std::map<std::string, uint64_t> founded_;  // of the last one that founded a group
};

CaseRun::Call CaseRun::call_named(const std::string& name) {
  static const std::map<std::string, Call> kCalls = {
      {"check", &CaseRun::check},
      {"query", &CaseRun::query},
      {"check_with_text", &CaseRun::check_with_text},
      {"own_text", &CaseRun::own_text},
      {"check_features", &CaseRun::check_features},
      {"open", &CaseRun::open},
      {"remove", &CaseRun::remove},
      {"find", &CaseRun::find},
      {"members", &CaseRun::members},
      {"events", &CaseRun::events},
      {"explain", &CaseRun::explain},
      {"stats", &CaseRun::stats},
      {"features", &CaseRun::features},
      {"decide", &CaseRun::decide_pair},
      {"signature", &CaseRun::signature},
      {"signature_compare", &CaseRun::signature_compare},
  };
  const auto found = kCalls.find(name);
  if (found == kCalls.end()) throw std::invalid_argument("the call \"" + name + "\" is not known");
  return found->second;
}

void CaseRun::run(const Json& test_case) {
  CaseRecord record(test_case, "case", faults_);
  record.at("name").get_ref<const std::string&>();
  if (record.at("why").get_ref<const std::string&>().empty()) record.fail("\"why\" is empty");
  const Json* options = record.find("options");
  nd_status status = options_.set(options == nullptr ? Json::object() : *options);
  if (status == ND_OK) status = nd_open(nullptr, options_.raw, &engine_);
  if (status != ND_OK) record.fail(std::string("no engine with these options: ") + nd_last_error());
  if (const Json* pages = record.find("pages"); pages != nullptr) {
    for (const auto& [name, object] : pages->get_ref<const Json::object_t&>())
      pages_[name] = read_case_page(object, "page " + name, faults_);
  }
  const Json& steps = record.at("steps");
  record.finish();
  if (steps.empty()) record.fail("it has no steps");
  if (!faults_.empty()) return;
  for (size_t i = 0; i < steps.size(); ++i) {
    CaseRecord step(steps[i], "step " + std::to_string(i + 1), faults_);
    const auto name = step.at("call").get<std::string>();
    CaseRecord expect(step.at("expect"), step.place() + " (" + name + ")", faults_);
    (this->*call_named(name))(step, expect);
    step.finish();
    expect.finish();
  }
  for (const auto& [name, page] : pages_) {
    if (!used_pages_.contains(name)) record.fail("the page \"" + name + "\" is in no step");
  }
}

bool CaseRun::succeeded(nd_status status, CaseRecord& expect) {
  const std::string sentence = nd_last_error();
  if (expect.find("error") != nullptr) {
    compare_value(expect, "error", error_name(status));
    if (status != ND_OK && sentence.empty()) expect.fail("an error without a sentence");
    return false;
  }
  if (status != ND_OK) expect.fail(error_name(status) + ": " + sentence);
  return status == ND_OK;
}

const CasePage& CaseRun::page(const Json& name) {
  const auto& wanted = name.get_ref<const std::string&>();
  const auto found = pages_.find(wanted);
  if (found == pages_.end()) throw std::invalid_argument("there is no page \"" + wanted + "\"");
  used_pages_.insert(wanted);
  return found->second;
}

uint64_t CaseRun::id_in(const std::map<std::string, uint64_t>& ids, const Json& name) {
  if (name.is_null()) return 0;
  const auto& wanted = name.get_ref<const std::string&>();
  const auto found = ids.find(wanted);
  if (found == ids.end()) throw std::invalid_argument("\"" + wanted + "\" has no such id yet");
  return found->second;
}

void CaseRun::compare_id(CaseRecord& expect, const std::string& key,
                         const std::map<std::string, uint64_t>& ids, uint64_t actual) {
  const Json* name = expect.find(key);
  if (name == nullptr || id_in(ids, *name) == actual) return;
  std::string names;
  for (const auto& [each, id] : ids) {
    if (id == actual) names += " " + each;
  }
  expect.fail(key + " is " + std::to_string(actual) + (names.empty() ? "" : " (" + names.substr(1) + ")") +
              ", not " + name->dump());
}

void CaseRun::compare_ratios(const nd_result& result, CaseRecord& expect) {
  compare_value(expect, "verdict", verdict_name(result.verdict));
  compare_set(expect, "flags", flag_names(result.flags));
  compare_range(expect, "resemblance", result.resemblance);
  compare_range(expect, "containment", result.containment);
  compare_range(expect, "page_coverage", result.page_coverage);
  compare_range(expect, "matched_coverage", result.matched_coverage);
  compare_range(expect, "probability", result.probability);
}

void CaseRun::answered(const std::string& name, const nd_result& result, CaseRecord& expect, bool remember) {
  compare_ratios(result, expect);
  compare_value(expect, "page_id", result.page_id);
  compare_value(expect, "group_id", result.group_id);
  compare_id(expect, "matched", checked_, result.matched_page_id);
  if (remember) {
    if (result.page_id == 0) expect.fail("a page that was checked has no id");
    checked_[name] = result.page_id;
    if (result.page_id == result.group_id) founded_[name] = result.group_id;
  }
  compare_id(expect, "group", founded_, result.group_id);
  compare_id(expect, "related", founded_, result.related_group_id);
}

void CaseRun::decide(CaseRecord& step, CaseRecord& expect, Decide call, bool remember) {
  const Json& name = step.at("page");
  const nd_page view = page(name).view();
  nd_result result = ND_RESULT_INIT;
  if (succeeded(call(engine_, &view, &result), expect)) answered(name, result, expect, remember);
}

void CaseRun::check_with_text(CaseRecord& step, CaseRecord& expect) {
  const Json& name = step.at("page");
  const nd_page view = page(name).view();
  nd_result result = ND_RESULT_INIT;
  nd_buffer text = ND_BUFFER_INIT;
  if (succeeded(nd_check_page_text(engine_, &view, &result, &text), expect)) {
    answered(name, result, expect, true);
    compare_value(expect, "own_text", std::string(text.data, text.size));
  }
  nd_buffer_free(&text);
}

void CaseRun::own_text(CaseRecord& step, CaseRecord& expect) {
  const nd_page view = page(step.at("page")).view();
  nd_buffer text = ND_BUFFER_INIT;
  if (succeeded(nd_own_text(engine_, &view, &text), expect))
    compare_value(expect, "own_text", std::string(text.data, text.size));
  nd_buffer_free(&text);
}

void CaseRun::check_features(CaseRecord& step, CaseRecord& expect) {
  const Json& name = step.at("page");
  std::string bytes;
  nd_result result = ND_RESULT_INIT;
  nd_status status = compute_features(page(name), options_, bytes);
  if (status == ND_OK) status = nd_check_features(engine_, bytes.data(), bytes.size(), &result);
  if (succeeded(status, expect)) answered(name, result, expect, true);
}

void CaseRun::open(CaseRecord& step, CaseRecord& expect) {
  CaseOptions options;
  nd_engine* engine = nullptr;
  nd_status status = options.set(step.at("options"));
  if (status == ND_OK) status = nd_open(nullptr, options.raw, &engine);
  succeeded(status, expect);
  nd_close(engine);
}

void CaseRun::remove(CaseRecord& step, CaseRecord& expect) {
  const auto& url = step.at("url").get_ref<const std::string&>();
  const nd_status status = nd_remove_page(engine_, url.data(), url.size());
  if (status == ND_ERR_NOT_FOUND && expect.find("found") != nullptr)
    compare_value(expect, "found", false);
  else if (succeeded(status, expect))
    compare_value(expect, "found", true);
}

void CaseRun::find(CaseRecord& step, CaseRecord& expect) {
  const auto& url = step.at("url").get_ref<const std::string&>();
  nd_page_info info = ND_PAGE_INFO_INIT;
  const nd_status status = nd_find_page(engine_, url.data(), url.size(), &info);
  if (status == ND_ERR_NOT_FOUND && expect.find("found") != nullptr) {
    compare_value(expect, "found", false);
  } else if (succeeded(status, expect)) {
    compare_value(expect, "found", true);
    compare_value(expect, "verdict", verdict_name(info.verdict));
    compare_set(expect, "flags", flag_names(info.flags));
    compare_value(expect, "page_id", info.page_id);
    compare_id(expect, "group", founded_, info.group_id);
    compare_value(expect, "text_width", info.text_width);
    compare_value(expect, "first_fetched_at_ms", info.first_fetched_at_ms);
    compare_value(expect, "last_fetched_at_ms", info.last_fetched_at_ms);
  }
}

void CaseRun::members(CaseRecord& step, CaseRecord& expect) {
  const nd_page_callback collect = [](const nd_page_info* info, const char*, size_t, void* ctx) {
    static_cast<std::vector<uint64_t>*>(ctx)->push_back(info->page_id);
    return int32_t{0};
  };
  std::vector<uint64_t> actual;
  if (!succeeded(nd_each_page(engine_, id_in(founded_, step.at("group")), collect, &actual), expect)) return;
  const Json* names = expect.find("pages");
  if (names == nullptr) return;
  std::vector<uint64_t> wanted;
  for (const Json& name : *names)
    wanted.push_back(id_in(checked_, name));
  if (actual != wanted)
    expect.fail("pages are " + Json(actual).dump() + ", not " + Json(wanted).dump() + " " + names->dump());
}

void CaseRun::events(CaseRecord&, CaseRecord& expect) {
  const nd_event_callback collect = [](const nd_event* event, void* ctx) {
    static_cast<std::vector<nd_event>*>(ctx)->push_back(*event);
    return int32_t{0};
  };
  std::vector<nd_event> actual;
  if (!succeeded(nd_each_event(engine_, 0, collect, &actual), expect)) return;
  const Json& wanted = expect.at("events");
  if (actual.size() != wanted.size()) {
    expect.fail(std::to_string(actual.size()) + " events, not " + wanted.dump());
    return;
  }
  for (size_t i = 0; i < actual.size(); ++i) {
    CaseRecord event(wanted[i], expect.place() + ", event " + std::to_string(i + 1), faults_);
    compare_value(event, "kind", event_name(actual[i].kind));
    compare_id(event, "page", checked_, actual[i].page_id);
    compare_id(event, "old_group", founded_, actual[i].old_group_id);
    compare_id(event, "new_group", founded_, actual[i].new_group_id);
    event.finish();
  }
}

void CaseRun::explain(CaseRecord& step, CaseRecord& expect) {
  nd_buffer json = ND_BUFFER_INIT;
  const uint64_t a = id_in(checked_, step.at("a"));
  const uint64_t b = id_in(checked_, step.at("b"));
  const nd_status status = nd_explain(engine_, a, b, &json);
  const std::string text(json.data == nullptr ? "" : json.data, json.size);
  nd_buffer_free(&json);
  if (!succeeded(status, expect)) return;
  const Json report = Json::parse(text);
  compare_value(expect, "verdict", report.at("verdict"));
  compare_value(expect, "rule", report.at("rule"));
  for (const char* ratio : {"resemblance", "containment", "page_coverage", "matched_coverage", "probability"})
    compare_range(expect, ratio, report.at(ratio).get<double>());
}

void CaseRun::features(CaseRecord& step, CaseRecord& expect) {
  const Json* name = step.find("page");
  const Json* base64 = step.find("bytes_base64");
  if ((name == nullptr) == (base64 == nullptr)) throw std::invalid_argument("features of a page or of bytes");
  std::string bytes;
  nd_status status = ND_OK;
  if (name != nullptr)
    status = compute_features(page(*name), options_, bytes);
  else
    bytes = decode_base64(base64->get_ref<const std::string&>());
  if (status == ND_OK) status = add_site(step, bytes);
  bytes.resize(bytes.size() - std::min(bytes.size(), step.value_or("cut_bytes", size_t{0})));
  if (const Json* flip = step.find("flip_byte"); flip != nullptr && status == ND_OK)
    bytes.at(flip->get<size_t>()) ^= 1;
  std::vector<uint64_t> keys;
  std::vector<uint64_t> parts;
  if (status == ND_OK) status = feature_keys(bytes, keys);
  if (status == ND_OK) status = feature_parts(bytes, parts);
  if (!succeeded(status, expect)) return;
  compare_value(expect, "keys", hex_of(keys));
  compare_value(expect, "parts", hex_of(parts));
  compare_value(expect, "key_count", keys.size());
  compare_value(expect, "part_count", parts.size());
  compare_value(expect, "bytes_sha256", sha256_of(bytes));
}

// The features with what their site knows, if the step names the pages that it has learned.
nd_status CaseRun::add_site(CaseRecord& step, std::string& features) {
  const Json* names = step.find("site_pages");
  if (names == nullptr) return ND_OK;
  std::vector<std::string> pages(names->size());
  for (size_t i = 0; i < pages.size(); ++i) {
    const nd_status status = compute_features(page((*names)[i]), options_, pages[i]);
    if (status != ND_OK) return status;
  }
  return features_with_site(pages, features);
}

// The options are those of the decision, which the computation would refuse.
void CaseRun::decide_pair(CaseRecord& step, CaseRecord& expect) {
  const CaseOptions defaults;
  std::string a;
  std::string b;
  nd_status status = compute_features(page(step.at("a")), defaults, a);
  if (status == ND_OK) status = compute_features(page(step.at("b")), defaults, b);
  if (status == ND_OK) status = add_site(step, a);
  if (status == ND_OK) status = add_site(step, b);
  nd_result result = ND_RESULT_INIT;
  if (status == ND_OK)
    status = nd_features_decide(a.data(), a.size(), b.data(), b.size(), options_.raw, &result);
  if (!succeeded(status, expect)) return;
  compare_ratios(result, expect);
  if (result.page_id != 0 || result.group_id != 0 || result.matched_page_id != 0)
    expect.fail("a comparison without an engine has ids");
}

void CaseRun::signature(CaseRecord& step, CaseRecord& expect) {
  std::string bytes;
  std::vector<uint64_t> keys;
  nd_status status = compute_signature(page(step.at("page")), options_, bytes);
  if (status == ND_OK) status = signature_keys(bytes, keys);
  if (!succeeded(status, expect)) return;
  compare_value(expect, "hex", hex_of_bytes(bytes));
  compare_value(expect, "keys", hex_of(keys));
  compare_range(expect, "size", static_cast<double>(bytes.size()));
  compare_range(expect, "key_count", static_cast<double>(keys.size()));
}

void CaseRun::signature_compare(CaseRecord& step, CaseRecord& expect) {
  std::string a;
  std::string b;
  double similarity = 0;
  nd_status status = compute_signature(page(step.at("a")), options_, a);
  if (status == ND_OK) status = compute_signature(page(step.at("b")), options_, b);
  if (status == ND_OK) status = compare_signatures(a, b, similarity);
  if (succeeded(status, expect)) compare_range(expect, "similarity", similarity);
}

void CaseRun::stats(CaseRecord&, CaseRecord& expect) {
  nd_stats stats = ND_STATS_INIT;
  if (succeeded(nd_get_stats(engine_, &stats), expect)) compare_stats(expect, stats);
}

}  // namespace

Faults run_case(const Json& test_case) {
  Faults faults;
  try {
    CaseRun(faults).run(test_case);
  } catch (const std::exception& failure) {
    faults.push_back(std::string("the case cannot be read: ") + failure.what());
  }
  return faults;
}

}  // namespace nd_test
