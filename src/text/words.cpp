#include "text/words.hpp"

#include "text/token_scan.hpp"

namespace nd::text {

void append_tokens(std::string_view text, uint32_t offset, Vector<Token>& out) {
  const auto push = [&](size_t begin, size_t end, uint32_t token_width) {
    Token token = unhashed_token(begin + offset, end + offset, token_width);
    token.hash = token_hash(text.substr(begin, end - begin));
    out.push_back(token);
  };
  TokenScan(text, push).run();
}

}  // namespace nd::text
