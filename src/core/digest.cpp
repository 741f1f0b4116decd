#include "core/digest.hpp"

#include <openssl/evp.h>

#include <new>
#include <utility>

namespace nd {

Md5::Md5(void* library, void* algorithm, void* context) noexcept
    : library_(library), algorithm_(algorithm), context_(context) {}

Md5::Md5(Md5&& other) noexcept
    : library_(std::exchange(other.library_, nullptr)),
      algorithm_(std::exchange(other.algorithm_, nullptr)),
      context_(std::exchange(other.context_, nullptr)) {}

Md5& Md5::operator=(Md5&& other) noexcept {
  std::swap(library_, other.library_);
  std::swap(algorithm_, other.algorithm_);
  std::swap(context_, other.context_);
  return *this;
}

Md5::~Md5() {
  EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context_));
  EVP_MD_free(static_cast<EVP_MD*>(algorithm_));
  OSSL_LIB_CTX_free(static_cast<OSSL_LIB_CTX*>(library_));
}

Result<Md5> Md5::create() {
  Md5 md5(OSSL_LIB_CTX_new(), nullptr, EVP_MD_CTX_new());
  if (md5.library_ == nullptr || md5.context_ == nullptr) throw std::bad_alloc();
  md5.algorithm_ = EVP_MD_fetch(static_cast<OSSL_LIB_CTX*>(md5.library_), "MD5", "provider=default");
  if (md5.algorithm_ == nullptr) return error(Status::kInternal, "OpenSSL offers no MD5 in its default provider");
  return md5;
}

Md5Digest Md5::operator()(std::string_view bytes) {
  Md5Digest digest;
  auto* context = static_cast<EVP_MD_CTX*>(context_);
  // These calls fail only for want of memory: the algorithm was fetched and tried in create().
  if (EVP_DigestInit_ex2(context, static_cast<EVP_MD*>(algorithm_), nullptr) != 1 ||
      EVP_DigestUpdate(context, bytes.data(), bytes.size()) != 1 ||
      EVP_DigestFinal_ex(context, digest.data(), nullptr) != 1) {
    throw std::bad_alloc();
  }
  return digest;
}

}  // namespace nd
