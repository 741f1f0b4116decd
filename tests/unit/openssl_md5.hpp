// MD5 by OpenSSL: what nd::md5_side_by_side() is compared with.
#pragma once

#include <openssl/evp.h>

#include <string_view>

#include "core/md5_lanes.hpp"

namespace nd {

inline Md5Digest openssl_md5(std::string_view bytes) {
  Md5Digest digest{};
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_md5(), nullptr) != 1) digest = {};
  return digest;
}

}  // namespace nd
