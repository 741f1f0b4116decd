// Puts a page together from the fields of a case and asks the library for its record.
#include "conformance/case_page.hpp"

#include <stdexcept>

namespace nd_test {
namespace {

constexpr int64_t kFetchedAtMs = 1700000000000;

std::string read_repeated_body(const Json& object, const std::string& place, Faults& faults) {
  CaseRecord record(object, place + " body_repeat", faults);
  std::string out = record.value_or<std::string>("before", "");
  const auto& text = record.at("text").get_ref<const std::string&>();
  const auto count = record.at("count").get<uint64_t>();
  if (text.size() * count > (uint64_t{64} << 20)) throw std::invalid_argument("a body of more than 64 MiB");
  for (uint64_t i = 0; i < count; ++i)
    out += text;
  out += record.value_or<std::string>("after", "");
  record.finish();
  return out;
}

using ReadNumbers = nd_status (*)(const void*, size_t, uint64_t*, size_t*);

nd_status read_numbers(ReadNumbers read, const std::string& bytes, std::vector<uint64_t>& out) {
  size_t count = 0;
  out.clear();
  const nd_status status = read(bytes.data(), bytes.size(), nullptr, &count);
  if (status != ND_OK || count == 0) return status;
  out.resize(count);
  return read(bytes.data(), bytes.size(), out.data(), &count);
}

const uint8_t* octets(const std::string& bytes) {
  return reinterpret_cast<const uint8_t*>(bytes.data());
}

}  // namespace

nd_page CasePage::view() const {
  nd_page out = ND_PAGE_INIT;
  out.flags = truncated ? uint32_t{ND_PAGE_TRUNCATED} : 0;
  out.url = url.data();
  out.url_size = url.size();
  out.body = body.data();
  out.body_size = body.size();
  out.content_type = content_type.data();
  out.content_type_size = content_type.size();
  out.fetched_at_ms = fetched_at_ms;
  return out;
}

CasePage read_case_page(const Json& object, const std::string& place, Faults& faults) {
  CaseRecord record(object, place, faults);
  CasePage out;
  out.url = record.at("url").get<std::string>();
  out.content_type = record.value_or<std::string>("content_type", "");
  out.truncated = record.value_or("truncated", false);
  out.fetched_at_ms = record.value_or("fetched_at_ms", kFetchedAtMs);
  int bodies = 0;
  if (const Json* text = record.find("body"); text != nullptr) {
    out.body = text->get<std::string>();
    ++bodies;
  }
  if (const Json* base64 = record.find("body_base64"); base64 != nullptr) {
    out.body = decode_base64(base64->get_ref<const std::string&>());
    ++bodies;
  }
  if (const Json* repeat = record.find("body_repeat"); repeat != nullptr) {
    out.body = read_repeated_body(*repeat, place, faults);
    ++bodies;
  }
  if (bodies != 1) record.fail("a page has one of body, body_base64, body_repeat");
  record.finish();
  return out;
}

nd_status CaseOptions::set(const Json& object) {
  nd_options_free(raw);
  raw = nullptr;
  nd_status status = nd_options_new(&raw);
  for (const auto& [key, value] : object.get_ref<const Json::object_t&>()) {
    if (status != ND_OK) break;
    status = nd_options_set(raw, key.c_str(), value.get_ref<const std::string&>().c_str());
  }
  return status;
}

nd_status compute_features(const CasePage& page, const CaseOptions& options, std::string& out) {
  const nd_page view = page.view();
  nd_buffer buffer = ND_BUFFER_INIT;
  const nd_status status = nd_features_compute(&view, options.raw, &buffer);
  out.assign(buffer.data == nullptr ? "" : buffer.data, buffer.size);
  nd_buffer_free(&buffer);
  return status;
}

nd_status compute_signature(const CasePage& page, const CaseOptions& options, std::string& out) {
  const nd_page view = page.view();
  uint8_t bytes[ND_SIGNATURE_MAX_SIZE];
  size_t size = sizeof bytes;
  const nd_status status = nd_signature_compute(&view, options.raw, bytes, &size);
  out.assign(bytes, bytes + (status == ND_OK ? size : 0));
  return status;
}

nd_status feature_keys(const std::string& features, std::vector<uint64_t>& out) {
  return read_numbers(nd_features_keys, features, out);
}

nd_status feature_parts(const std::string& features, std::vector<uint64_t>& out) {
  return read_numbers(nd_features_parts, features, out);
}

nd_status signature_keys(const std::string& signature, std::vector<uint64_t>& out) {
  const ReadNumbers read = [](const void* bytes, size_t size, uint64_t* keys, size_t* count) {
    return nd_signature_keys(static_cast<const uint8_t*>(bytes), size, keys, count);
  };
  return read_numbers(read, signature, out);
}

nd_status features_with_site(const std::vector<std::string>& pages, std::string& features) {
  nd_site_model* model = nullptr;
  nd_status status = nd_site_model_new(&model);
  std::vector<uint64_t> parts;
  for (const std::string& page : pages) {
    if (status == ND_OK) status = feature_parts(page, parts);
    if (status == ND_OK) status = nd_site_model_learn(model, parts.data(), parts.size());
  }
  if (status == ND_OK) status = feature_parts(features, parts);
  nd_buffer saved = ND_BUFFER_INIT;
  if (status == ND_OK) status = nd_site_model_save(model, parts.data(), parts.size(), &saved);
  nd_buffer bytes = ND_BUFFER_INIT;
  if (status == ND_OK)
    status = nd_features_with_site(features.data(), features.size(), saved.data, saved.size, &bytes);
  features.assign(bytes.data == nullptr ? "" : bytes.data, bytes.size);
  nd_buffer_free(&bytes);
  nd_buffer_free(&saved);
  nd_site_model_free(model);
  return status;
}

nd_status compare_signatures(const std::string& a, const std::string& b, double& out) {
  return nd_signature_compare(octets(a), a.size(), octets(b), b.size(), &out);
}

}  // namespace nd_test
