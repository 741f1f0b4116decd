// Signatures compared with docs/signature_format.md, read here without the library's code.
#pragma once

#include <ndcapi.h>

#include <cstdint>
#include <vector>

namespace nd::fuzz {

// Any two byte strings, which come from other machines: the status, the similarity and the keys that the
// format asks for.
void expect_signatures_read(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b);

// A page's signature: the same twice, and one that is like itself. Empty: the page has no text.
std::vector<uint8_t> expect_signature(const nd_page& page, const nd_options* options);

}  // namespace nd::fuzz
