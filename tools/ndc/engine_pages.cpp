#include "engine_pages.hpp"

#include <nlohmann/json.hpp>

#include "command_options.hpp"
#include "handles.hpp"

namespace ndc {
namespace {

constexpr size_t kUsualUrlBytes = 512;

// Any other failure would meet the next page as well.
bool is_about_page(nd_status status) {
  return status == ND_ERR_INVALID_ARGUMENT || status == ND_ERR_LIMIT || status == ND_ERR_UNSUPPORTED_VERSION;
}

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

std::string refuse_page(nd_status status, ArchiveItem& item) {
  const std::string reason = library_failure(status);
  if (!is_about_page(status)) return item.page.url + ": " + reason;
  item.outcome = PageOutcome::kDamaged;
  item.damage = {item.record.position, "the page was refused (" + reason + ")"};
  return {};
}

std::string canonical_url(const nd_page& page, const nd_options* options) {
  Buffer json;
  if (nd_extract(&page, options, json.get()) != ND_OK) return {};
  const nlohmann::json described = nlohmann::json::parse(json.text(), nullptr, false);
  const auto found = described.find("canonical_url");
  return found == described.end() || !found->is_string() ? std::string() : found->get<std::string>();
}

}  // namespace ndc
