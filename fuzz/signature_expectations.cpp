// Reads bins and keys by the document, and expects the library to agree with them.
#include "fuzz/signature_expectations.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "core/hash.hpp"
#include "fuzz/expectation.hpp"
#include "fuzz/well_formed_text.hpp"

namespace nd::fuzz {
namespace {

using Bytes = std::vector<uint8_t>;
using Keys = std::vector<uint64_t>;

// Four bits each, the lower half of a byte first.
unsigned half_byte(const Bytes& bytes, size_t begin, size_t number) {
  return (bytes[begin + number / 2] >> (4 * (number % 2))) & 15U;
}

unsigned wide_bin(const Bytes& bytes, size_t bin) {
  unsigned value = 0;
  for (size_t part = 0; part < 3; ++part)
    value |= half_byte(bytes, 3, 3 * bin + part) << (4 * part);
  return value;
}

nd_status status_of(const Bytes& signature) {
  if (signature.empty()) return ND_OK;
  if (signature.size() != ND_SIGNATURE_MAX_SIZE) return ND_ERR_CORRUPT;
  return signature[0] == 1 ? ND_OK : ND_ERR_UNSUPPORTED_VERSION;
}

nd_status status_of(const Bytes& a, const Bytes& b) {
  if (a.empty() || b.empty()) return ND_OK;
  return status_of(a) != ND_OK ? status_of(a) : status_of(b);
}

double similarity_of(const Bytes& a, const Bytes& b) {
  if (a.empty() || b.empty()) return 0;
  int wide = 0, narrow = 0, page = 0;
  for (size_t i = 0; i < 32; ++i)
    wide += wide_bin(a, i) == wide_bin(b, i);
  for (size_t i = 0; i < 120; ++i)
    narrow += half_byte(a, 51, i) == half_byte(b, 51, i);
  for (size_t i = 0; i < 32; ++i)
    page += half_byte(a, 111, i) == half_byte(b, 111, i);
  double share = std::max(0.0, (wide + (narrow - 120.0 / 16) * 16 / 15) / 152);
  if (std::min(a[1], b[1]) <= 8) share *= share;
  if (a[2] != b[2]) share *= 0.9;
  return page < 25 ? std::min(share, 0.9) : share;
}

Keys keys_of(const Bytes& signature) {
  Keys keys;
  if (signature.empty()) return keys;
  for (uint64_t i = 0; i < 32; ++i) {
    const uint64_t x = wide_bin(signature, i), y = wide_bin(signature, (i + 1) % 32);
    keys.push_back(mix((256 + i) << 24 | x << 12 | y));
  }
  return keys;
}

void expect_status(nd_status status, nd_status expected) {
  const std::string_view message = nd_last_error();
  expect(status == expected, "a call with signatures has another status");
  expect(message.empty() == (status == ND_OK), "a message without an error, or an error without a message");
  expect(is_well_formed_utf8(message), "a message is no UTF-8");
}

void expect_compared(const Bytes& a, const Bytes& b) {
  double similarity = -1;
  const nd_status expected = status_of(a, b);
  expect_status(nd_signature_compare(a.data(), a.size(), b.data(), b.size(), &similarity), expected);
  expect(similarity >= 0 && similarity <= 1, "a similarity is not in 0..1");
  const double told = expected == ND_OK ? similarity_of(a, b) : 0;
  expect(std::abs(similarity - told) < 1e-9, "another similarity than the format's");
}

void expect_keys(const Bytes& signature) {
  const nd_status expected = status_of(signature);
  size_t count = 0;
  expect_status(nd_signature_keys(signature.data(), signature.size(), nullptr, &count), expected);
  const Keys told = expected == ND_OK ? keys_of(signature) : Keys();
  expect(count == told.size(), "another number of keys than the format's");
  Keys keys(count);
  if (count == 0) return;
  size_t room = count - 1;
  expect_status(nd_signature_keys(signature.data(), signature.size(), keys.data(), &room), ND_ERR_LIMIT);
  expect(room == count, "keys without room do not tell their number");
  expect_status(nd_signature_keys(signature.data(), signature.size(), keys.data(), &count), ND_OK);
  expect(keys == told, "other keys than the format's");
}

Bytes computed(const nd_page& page, const nd_options* options, size_t room) {
  Bytes signature(room);
  size_t size = room;
  expect_status(nd_signature_compute(&page, options, signature.data(), &size), ND_OK);
  expect(size <= room, "a signature is too long");
  signature.resize(size);
  return signature;
}

}  // namespace

void expect_signatures_read(const Bytes& a, const Bytes& b) {
  expect_keys(a);
  expect_keys(b);
  expect_compared(a, b);
  expect_compared(b, a);
  expect_compared(a, a);
}

Bytes expect_signature(const nd_page& page, const nd_options* options) {
  const Bytes signature = computed(page, options, ND_SIGNATURE_MAX_SIZE);
  expect(signature.empty() || (signature.size() == ND_SIGNATURE_MAX_SIZE && signature[0] == 1),
         "a signature of another form");
  expect(computed(page, options, ND_SIGNATURE_MAX_SIZE + 1) == signature, "a page has two signatures");
  expect_signatures_read(signature, signature);
  return signature;
}

}  // namespace nd::fuzz
