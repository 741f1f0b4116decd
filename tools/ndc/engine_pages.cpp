#include "engine_pages.hpp"

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

}  // namespace ndc
