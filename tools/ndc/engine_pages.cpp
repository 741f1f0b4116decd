#include "engine_pages.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "handles.hpp"
#include "keep_rule.hpp"

namespace ndc {
namespace {

constexpr size_t kUsualUrlBytes = 512;

}  // namespace

std::optional<std::string> url_of(nd_engine* engine, uint64_t page_id) {
  std::string url(kUsualUrlBytes, '\0');
  for (;;) {
    nd_page_info info = ND_PAGE_INFO_INIT;
    size_t size = url.size();
    const nd_status status = nd_get_page(engine, page_id, &info, url.data(), &size);
    if (status == ND_ERR_LIMIT && size >= url.size()) {
      // Room for the NUL, which `size` does not count.
      url.resize(size + 1);
      continue;
    }
    if (status != ND_OK) return std::nullopt;
    url.resize(size);
    return url;
  }
}

bool is_about_page(nd_status status) {
  return status == ND_ERR_INVALID_ARGUMENT || status == ND_ERR_LIMIT || status == ND_ERR_UNSUPPORTED_VERSION;
}

std::string canonical_url(const nd_page& page, const nd_options* options) {
  Buffer json;
  if (nd_extract(&page, options, json.get()) != ND_OK) return {};
  const nlohmann::json described = nlohmann::json::parse(json.text(), nullptr, false);
  const auto found = described.find("canonical");
  if (found == described.end() || !found->is_string()) return {};
  return resolve_link({page.url, page.url_size}, found->get_ref<const std::string&>());
}

}  // namespace ndc
