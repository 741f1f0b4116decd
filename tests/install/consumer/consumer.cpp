// A C++ program that is built against the installed package, as a user's would be.
#include <ndcapi.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

void require(nd_status status) {
  if (status != ND_OK) throw std::runtime_error(nd_last_error());
}

struct Close {
  void operator()(nd_engine* engine) const { nd_close(engine); }
};

}  // namespace

int main() {
  nd_engine* opened = nullptr;
  require(nd_open(nullptr, nullptr, &opened));
  const std::unique_ptr<nd_engine, Close> engine(opened);

  const std::string url = "http://one.example/";
  const std::string body = "<p>A page of one sentence, seen for the first time.</p>";
  nd_page page = ND_PAGE_INIT;
  page.url = url.data();
  page.url_size = url.size();
  page.body = body.data();
  page.body_size = body.size();
  nd_result result = ND_RESULT_INIT;
  require(nd_check_page(engine.get(), &page, &result));
  std::cout << nd_version_string() << ' ' << result.verdict << '\n';
  return result.verdict == ND_NEW && result.page_id != 0 ? 0 : 1;
}
