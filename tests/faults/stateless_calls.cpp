// Features and signatures, without an engine.
#include <array>

#include "faults/call_outcome.hpp"
#include "faults/calls.hpp"

namespace faults::calls {
namespace {

constexpr size_t kNumbers = 4096;

// A function that gives numbers of kept bytes.
template <typename Call>
Outcome numbers_outcome(Call call) {
  std::vector<uint64_t> numbers(kNumbers);
  size_t count = kNumbers;
  const nd_status status = call(numbers.data(), &count);
  if (status == ND_OK) return {status, numbers_text(numbers.data(), count)};
  return {status, count == 0 ? "" : "left: a size"};
}

const uint8_t* bytes_of(const std::string& text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

}  // namespace

Step extract(std::string url, std::string body) {
  return step("extract", [=](World& world) {
    const nd_page page = page_of(url, body, "");
    Buffer json;
    const nd_status status = ND_CALL(nd_extract, &page, world.options, &json.raw);
    return outcome_of(status, json);
  });
}

Step choose_copy(int32_t rule) {
  return step("choose_copy", [=](World&) -> Outcome {
    constexpr std::string_view kUrl = "http://a.example/x";
    nd_copy copies[3] = {ND_COPY_INIT, ND_COPY_INIT, ND_COPY_INIT};
    for (nd_copy& copy : copies) {
      copy.canonical_url = kUrl.data();
      copy.canonical_url_size = kUrl.size();
    }
    copies[2].url = kUrl.data();
    copies[2].url_size = kUrl.size();
    copies[1].text_width = 1;
    size_t index = 0;
    const nd_status status = ND_CALL(nd_choose_copy, copies, std::size(copies), rule, &index);
    if (status == ND_OK) return {status, std::to_string(index)};
    return {status, index == 0 ? "" : "left: an index"};
  });
}

Step describe_page(std::string url, std::string body) {
  return step("describe_page", [=](World& world) {
    const nd_page page = page_of(url, body, "");
    Buffer json;
    const nd_status status = ND_CALL(nd_describe_page, &page, world.options, &json.raw);
    return outcome_of(status, json);
  });
}

Step read_pages(std::vector<std::pair<std::string, std::string>> pages) {
  return step("read_pages", [=](World& world) -> Outcome {
    nd_reader* reader = nullptr;
    nd_status status = ND_CALL(nd_reader_new, world.options, &reader);
    std::string answer = status != ND_OK && reader != nullptr ? "left: a reader" : "";
    Buffer out;
    for (size_t i = 0; i < pages.size() && status == ND_OK; ++i) {
      const nd_page page = page_of(pages[i].first, pages[i].second, "");
      status = ND_CALL(nd_reader_features, reader, &page, &out.raw);
      answer += out.text();
      if (status != ND_OK) break;
      std::array<uint8_t, ND_SIGNATURE_MAX_SIZE> signature{};
      size_t size = signature.size();
      status = ND_CALL(nd_reader_signature, reader, &page, signature.data(), &size);
      answer.append(reinterpret_cast<const char*>(signature.data()), status == ND_OK ? size : 0);
      if (status != ND_OK) break;
      status = ND_CALL(nd_reader_extract, reader, &page, &out.raw);
      answer += out.text();
      if (status != ND_OK) break;
      status = ND_CALL(nd_reader_describe, reader, &page, &out.raw);
      answer += out.text();
    }
    ND_CALL(nd_reader_free, reader);
    return {status, status == ND_OK ? answer : ""};
  });
}

Step features(const char* name, std::string url, std::string body) {
  return step("features", [=](World& world) {
    const nd_page page = page_of(url, body, "");
    Buffer bytes;
    const nd_status status = ND_CALL(nd_features_compute, &page, world.options, &bytes.raw);
    if (status == ND_OK) world.kept[name] = bytes.text();
    return outcome_of(status, bytes);
  });
}

Step features_keys(const char* name) {
  return step("features_keys", [=](World& world) {
    const std::string& bytes = world.kept[name];
    return numbers_outcome([&](uint64_t* numbers, size_t* count) {
      return ND_CALL(nd_features_keys, bytes.data(), bytes.size(), numbers, count);
    });
  });
}

Step features_parts(const char* name) {
  return step("features_parts", [=](World& world) {
    const std::string& bytes = world.kept[name];
    return numbers_outcome([&](uint64_t* numbers, size_t* count) {
      return ND_CALL(nd_features_parts, bytes.data(), bytes.size(), numbers, count);
    });
  });
}

namespace {

std::vector<uint64_t> parts_of(const std::string& features) {
  std::vector<uint64_t> parts(kNumbers);
  size_t count = parts.size();
  nd_features_parts(features.data(), features.size(), parts.data(), &count);
  parts.resize(count);
  return parts;
}

}  // namespace

Step learn_site(std::vector<std::string> pages, const char* saved) {
  return step("learn_site", [=](World& world) {
    nd_site_model* model = nullptr;
    nd_status status = ND_CALL(nd_site_model_new, &model);
    // Each page once more, forgotten at once.
    for (size_t i = 0; i < pages.size() && status == ND_OK; ++i) {
      const std::vector<uint64_t> parts = parts_of(world.kept[pages[i]]);
      for (int twice = 0; twice < 2 && status == ND_OK; ++twice)
        status = ND_CALL(nd_site_model_learn, model, parts.data(), parts.size());
      if (status == ND_OK) status = ND_CALL(nd_site_model_forget, model, parts.data(), parts.size());
    }
    Buffer out;
    if (status == ND_OK) status = ND_CALL(nd_site_model_save, model, nullptr, size_t{0}, &out.raw);
    ND_CALL(nd_site_model_free, model);
    if (status == ND_OK) world.kept[saved] = out.text();
    return outcome_of(status, out);
  });
}

Step merge_site(const char* saved) {
  return step("merge_site", [=](World& world) {
    const std::string& bytes = world.kept[saved];
    nd_site_model* model = nullptr;
    nd_status status = ND_CALL(nd_site_model_new, &model);
    for (int twice = 0; twice < 2 && status == ND_OK; ++twice)
      status = ND_CALL(nd_site_model_merge, model, bytes.data(), bytes.size());
    Buffer out;
    if (status == ND_OK) status = ND_CALL(nd_site_model_save, model, nullptr, size_t{0}, &out.raw);
    ND_CALL(nd_site_model_free, model);
    return outcome_of(status, out);
  });
}

Step site_weights(const char* name, const char* saved) {
  return step("site_weights", [=](World& world) {
    const std::string &bytes = world.kept[saved], &page = world.kept[name];
    nd_site_model* model = nullptr;
    nd_status status = ND_CALL(nd_site_model_new, &model);
    if (status == ND_OK) status = ND_CALL(nd_site_model_merge, model, bytes.data(), bytes.size());
    std::vector<double> weights(kNumbers);
    size_t count = weights.size();
    if (status == ND_OK)
      status = ND_CALL(nd_site_model_weights, model, page.data(), page.size(), weights.data(), &count);
    ND_CALL(nd_site_model_free, model);
    Outcome outcome{status, ""};
    for (size_t i = 0; status == ND_OK && i < count; ++i)
      outcome.answer += std::to_string(weights[i]) + " ";
    return outcome;
  });
}

Step features_with_site(const char* name, const char* saved, const char* with_site) {
  return step("features_with_site", [=](World& world) {
    const std::string &bytes = world.kept[name], &site = world.kept[saved];
    Buffer out;
    const nd_status status =
        ND_CALL(nd_features_with_site, bytes.data(), bytes.size(), site.data(), site.size(), &out.raw);
    if (status == ND_OK) world.kept[with_site] = out.text();
    return outcome_of(status, out);
  });
}

Step features_representative(const char* name, const char* saved, const char* representative) {
  return step("features_representative", [=](World& world) {
    const std::string &bytes = world.kept[name], &site = world.kept[saved];
    Buffer out;
    const nd_status status =
        ND_CALL(nd_features_representative, bytes.data(), bytes.size(), site.data(), site.size(), &out.raw);
    if (status == ND_OK) world.kept[representative] = out.text();
    return outcome_of(status, out);
  });
}

Step features_info(const char* name) {
  return step("features_info", [=](World& world) -> Outcome {
    const std::string& bytes = world.kept[name];
    nd_record_info info = ND_RECORD_INFO_INIT;
    const nd_status status = ND_CALL(nd_features_info, bytes.data(), bytes.size(), &info);
    if (status != ND_OK) return {status, is_empty(info) ? "" : "left: an info"};
    return {status, std::string(info.url, info.url_size) + " " + std::to_string(info.site_pages)};
  });
}

Step features_decide(const char* a, const char* b) {
  return step("features_decide", [=](World& world) {
    const std::string &first = world.kept[a], &second = world.kept[b];
    nd_result result = ND_RESULT_INIT;
    const nd_status status = ND_CALL(nd_features_decide, first.data(), first.size(), second.data(),
                                     second.size(), world.options, &result);
    return outcome_of(status, result);
  });
}

Step read_page(const char* name, std::string url, std::string body) {
  return step("read_page", [=](World& world) {
    const nd_page page = page_of(url, body, "");
    Buffer bytes;
    const nd_status status = ND_CALL(nd_read_page, world.engine, &page, &bytes.raw);
    if (status == ND_OK) world.kept[name] = bytes.text();
    return outcome_of(status, bytes);
  });
}

Step learn_features(const char* name) {
  return step("learn_features", [=](World& world) -> Outcome {
    const std::string& bytes = world.kept[name];
    return {ND_CALL(nd_learn_features, world.engine, bytes.data(), bytes.size()), ""};
  });
}

Step check_features(const char* name) {
  return step("check_features", [=](World& world) {
    const std::string& bytes = world.kept[name];
    nd_result result = ND_RESULT_INIT;
    const nd_status status = ND_CALL(nd_check_features, world.engine, bytes.data(), bytes.size(), &result);
    return outcome_of(status, result);
  });
}

Step query_features(const char* name) {
  return step("query_features", [=](World& world) {
    const std::string& bytes = world.kept[name];
    nd_result result = ND_RESULT_INIT;
    const nd_status status = ND_CALL(nd_query_features, world.engine, bytes.data(), bytes.size(), &result);
    return outcome_of(status, result);
  });
}

Step apply_outcome(const char* name, int32_t verdict, uint64_t group_id) {
  return step("apply_outcome", [=](World& world) {
    const std::string& bytes = world.kept[name];
    nd_result outcome = ND_RESULT_INIT, result = ND_RESULT_INIT;
    outcome.verdict = verdict;
    outcome.group_id = group_id;
    const nd_status status =
        ND_CALL(nd_apply_outcome, world.engine, bytes.data(), bytes.size(), &outcome, &result);
    return outcome_of(status, result);
  });
}

Step partition(std::vector<const char*> names) {
  return step("partition", [=](World& world) -> Outcome {
    std::vector<nd_bytes> given;
    for (const char* name : names)
      given.push_back({world.kept[name].data(), world.kept[name].size()});
    std::vector<nd_result> results(names.size(), nd_result ND_RESULT_INIT);
    const nd_status status =
        ND_CALL(nd_partition_features, given.data(), given.size(), world.options, results.data());
    std::string answer;
    for (const nd_result& result : results)
      answer += status == ND_OK ? text_of(result) + "\n" : is_empty(result) ? "" : "left: a result";
    return {status, answer};
  });
}

// Adds all of them and searches the earlier ones for each; the first also as a page that was not added.
Step join_features(std::vector<const char*> names) {
  return step("join_features", [=](World& world) -> Outcome {
    nd_join* join = nullptr;
    nd_status status = ND_CALL(nd_join_new, world.options, 300, &join);
    std::string answer = status != ND_OK && join != nullptr ? "left: a join" : "";
    for (size_t i = 0; i < names.size() && status == ND_OK; ++i) {
      const std::string& bytes = world.kept[names[i]];
      uint64_t held = 0;
      status = ND_CALL(nd_join_add, join, bytes.data(), bytes.size(), &held);
    }
    Buffer found;
    for (size_t i = 0; i < names.size() && status == ND_OK; ++i) {
      status = ND_CALL(nd_join_earlier, join, i, &found.raw);
      answer += found.text() + "\n";
    }
    if (status == ND_OK) {
      const std::string& bytes = world.kept[names[0]];
      status = ND_CALL(nd_join_find, join, bytes.data(), bytes.size(), &found.raw);
      answer += found.text();
    }
    ND_CALL(nd_join_free, join);
    return {status, status == ND_OK ? answer : ""};
  });
}

Step signature(const char* name, std::string url, std::string body) {
  return step("signature", [=](World& world) -> Outcome {
    const nd_page page = page_of(url, body, "");
    std::array<uint8_t, ND_SIGNATURE_MAX_SIZE> out{};
    size_t size = out.size();
    const nd_status status = ND_CALL(nd_signature_compute, &page, world.options, out.data(), &size);
    if (status != ND_OK) return {status, size == 0 ? "" : "left: a size"};
    world.kept[name] = std::string(reinterpret_cast<const char*>(out.data()), size);
    return {status, world.kept[name]};
  });
}

Step signature_keys(const char* name) {
  return step("signature_keys", [=](World& world) {
    const std::string& bytes = world.kept[name];
    return numbers_outcome([&](uint64_t* numbers, size_t* count) {
      return ND_CALL(nd_signature_keys, bytes_of(bytes), bytes.size(), numbers, count);
    });
  });
}

Step signature_compare(const char* a, const char* b) {
  return step("signature_compare", [=](World& world) -> Outcome {
    const std::string &first = world.kept[a], &second = world.kept[b];
    double similarity = 0;
    const nd_status status = ND_CALL(nd_signature_compare, bytes_of(first), first.size(), bytes_of(second),
                                     second.size(), &similarity);
    if (status == ND_OK) return {status, std::to_string(similarity)};
    return {status, similarity == 0 ? "" : "left: a similarity"};
  });
}

}  // namespace faults::calls
