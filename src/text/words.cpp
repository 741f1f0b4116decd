#include "text/words.hpp"

#include "text/token_scan.hpp"

namespace nd::text {

void append_tokens(std::string_view text, uint32_t offset, Vector<Token>& out) {
  const auto push = [&](size_t begin, size_t end, uint32_t token_width) {
    out.push_back(make_token(text, begin, end, token_width));
    out.back().text.begin += offset;
    out.back().text.end += offset;
  };
  TokenScan(text, push).run();
}

}  // namespace nd::text
