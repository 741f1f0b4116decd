// SipHash, with a key that is drawn once a process.
#include "archives/keyed_hash.hpp"

#include <bit>
#include <random>

namespace ndc {
namespace {

constexpr size_t kWordBytes = 8;

// The state of SipHash: the key, told apart from other uses of it by four constants of the specification.
class SipState {
 public:
  explicit SipState(const HashKey& key)
      : v0_(key.low ^ 0x736f6d6570736575ULL),
        v1_(key.high ^ 0x646f72616e646f6dULL),
        v2_(key.low ^ 0x6c7967656e657261ULL),
        v3_(key.high ^ 0x7465646279746573ULL) {}

  void take(uint64_t word) {
    v3_ ^= word;
    turn(2);
    v0_ ^= word;
  }

  uint64_t finish() {
    v2_ ^= 0xff;
    turn(4);
    return v0_ ^ v1_ ^ v2_ ^ v3_;
  }

 private:
  void turn(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      v0_ += v1_;
      v2_ += v3_;
      v1_ = std::rotl(v1_, 13) ^ v0_;
      v3_ = std::rotl(v3_, 16) ^ v2_;
      v0_ = std::rotl(v0_, 32);
      v2_ += v1_;
      v0_ += v3_;
      v1_ = std::rotl(v1_, 17) ^ v2_;
      v3_ = std::rotl(v3_, 21) ^ v0_;
      v2_ = std::rotl(v2_, 32);
    }
  }

  uint64_t v0_, v1_, v2_, v3_;
};

uint64_t little_endian_word(std::string_view bytes) {
  uint64_t word = 0;
  for (size_t i = 0; i < bytes.size(); ++i)
    word |= uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return word;
}

HashKey drawn_key() {
  std::random_device device;
  const auto draw = [&device] { return (uint64_t{device()} << 32) | device(); };
  const uint64_t low = draw();
  return {low, draw()};
}

}  // namespace

uint64_t sip_hash(const HashKey& key, std::string_view bytes) {
  SipState state(key);
  const uint64_t size = bytes.size();
  for (; bytes.size() >= kWordBytes; bytes.remove_prefix(kWordBytes))
    state.take(little_endian_word(bytes.substr(0, kWordBytes)));
  state.take(little_endian_word(bytes) | (size << 56));
  return state.finish();
}

size_t KeyedHash::operator()(std::string_view bytes) const {
  static const HashKey key = drawn_key();
  return static_cast<size_t>(sip_hash(key, bytes));
}

}  // namespace ndc
