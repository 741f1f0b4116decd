#include "name_uuid.hpp"

#include <openssl/sha.h>

namespace ndc {

std::string name_uuid(const UuidBytes& name_space, std::string_view name) {
  std::string hashed(name_space.begin(), name_space.end());
  hashed.append(name);
  std::array<uint8_t, SHA_DIGEST_LENGTH> digest{};
  SHA1(reinterpret_cast<const unsigned char*>(hashed.data()), hashed.size(), digest.data());
  digest[6] = static_cast<uint8_t>((digest[6] & 0x0f) | 0x50);  // the version
  digest[8] = static_cast<uint8_t>((digest[8] & 0x3f) | 0x80);  // the variant
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < UuidBytes().size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

}  // namespace ndc
