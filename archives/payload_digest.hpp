// WARC-Payload-Digest and its kin, brought to one spelling, however a crawler wrote them.
#pragma once

#include <string>
#include <string_view>

namespace ndc {

// One spelling for a digest in base32 or hexadecimal digits, in large or small letters, with or without the
// name of its algorithm ("sha1:3I42..." and "SHA-1:da39..."): two digests are equal if these are. What cannot
// be read stands for itself. Empty if there is none.
std::string canonical_digest(std::string_view digest);

// Whether it is that of no bytes at all, by MD5, SHA-1 or SHA-2: so crawlers sign what they have not
// downloaded. `canonical`: as canonical_digest() gives it.
bool is_digest_of_nothing(std::string_view canonical);

}  // namespace ndc
