#include "core/md5_lanes.hpp"

#include <cassert>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace nd {

#if defined(__x86_64__)

namespace {

constexpr size_t kLanes = 8;
constexpr size_t kBlockBytes = 64;
constexpr size_t kLengthBytes = 8;

// RFC 1321, section 3.4: T[i] is the integer part of 4294967296 · |sin(i)|.
constexpr std::array<uint32_t, 64> kSines = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

// RFC 1321, section 3.3.
constexpr std::array<uint32_t, 4> kFirstState = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

#define NDC_LANES [[gnu::target("avx2"), gnu::always_inline]] inline

template <int kBits>
NDC_LANES __m256i rotate_left(__m256i value) noexcept {
  return _mm256_or_si256(_mm256_slli_epi32(value, kBits), _mm256_srli_epi32(value, 32 - kBits));
}

// The round functions F, G, H and I of section 3.4. G's two halves share no bit, so that a sum is as good,
// and the half without b is ready early.
struct F {
  NDC_LANES static __m256i add(__m256i sum, __m256i b, __m256i c, __m256i d) noexcept {
    return _mm256_add_epi32(sum, _mm256_xor_si256(d, _mm256_and_si256(b, _mm256_xor_si256(c, d))));
  }
};
struct G {
  NDC_LANES static __m256i add(__m256i sum, __m256i b, __m256i c, __m256i d) noexcept {
    return _mm256_add_epi32(_mm256_add_epi32(sum, _mm256_andnot_si256(d, c)), _mm256_and_si256(b, d));
  }
};
struct H {
  NDC_LANES static __m256i add(__m256i sum, __m256i b, __m256i c, __m256i d) noexcept {
    return _mm256_add_epi32(sum, _mm256_xor_si256(b, _mm256_xor_si256(c, d)));
  }
};
struct I {
  NDC_LANES static __m256i add(__m256i sum, __m256i b, __m256i c, __m256i d) noexcept {
    const __m256i not_d = _mm256_xor_si256(d, _mm256_set1_epi32(-1));
    return _mm256_add_epi32(sum, _mm256_xor_si256(c, _mm256_or_si256(b, not_d)));
  }
};

// The state and words of the blocks, one message a lane.
struct Round {
  __m256i a, b, c, d;
  __m256i words[16];

  template <typename Function, int kBits>
  NDC_LANES void step(size_t word, size_t index) noexcept {
    const __m256i sine = _mm256_set1_epi32(static_cast<int>(kSines[index]));
    const __m256i sum = _mm256_add_epi32(a, _mm256_add_epi32(words[word], sine));
    const __m256i next = _mm256_add_epi32(b, rotate_left<kBits>(Function::add(sum, b, c, d)));
    a = d;
    d = c;
    c = b;
    b = next;
  }

  // Sixteen steps: the word of step i is kFirst + kStride · i.
  template <typename Function, size_t kBegin, size_t kFirst, size_t kStride, int k0, int k1, int k2, int k3>
  NDC_LANES void run() noexcept {
#pragma GCC unroll 1
    for (size_t i = 0; i < 16; i += 4) {
      step<Function, k0>((kFirst + kStride * i) % 16, kBegin + i);
      step<Function, k1>((kFirst + kStride * (i + 1)) % 16, kBegin + i + 1);
      step<Function, k2>((kFirst + kStride * (i + 2)) % 16, kBegin + i + 2);
      step<Function, k3>((kFirst + kStride * (i + 3)) % 16, kBegin + i + 3);
    }
  }
};

NDC_LANES int word_at(const uint8_t* block, size_t index) noexcept {
  int word;
  std::memcpy(&word, block + 4 * index, sizeof word);
  return word;
}

using States = std::array<std::array<uint32_t, kLanes>, 4>;  // a, b, c, d by lane
using Blocks = std::array<const uint8_t*, kLanes>;

NDC_LANES __m256i load(const std::array<uint32_t, kLanes>& lanes) noexcept {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(lanes.data()));
}
NDC_LANES void add_to(std::array<uint32_t, kLanes>& lanes, __m256i value) noexcept {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes.data()), _mm256_add_epi32(load(lanes), value));
}

[[gnu::target("avx2")]] void add_blocks(const Blocks& p, States& states) noexcept {
  Round round;
  round.a = load(states[0]);
  round.b = load(states[1]);
  round.c = load(states[2]);
  round.d = load(states[3]);
#pragma GCC unroll 16
  for (size_t i = 0; i < 16; ++i) {
    round.words[i] =
        _mm256_setr_epi32(word_at(p[0], i), word_at(p[1], i), word_at(p[2], i), word_at(p[3], i),
                          word_at(p[4], i), word_at(p[5], i), word_at(p[6], i), word_at(p[7], i));
  }
  round.run<F, 0, 0, 1, 7, 12, 17, 22>();
  round.run<G, 16, 1, 5, 5, 9, 14, 20>();
  round.run<H, 32, 5, 3, 4, 11, 16, 23>();
  round.run<I, 48, 0, 7, 6, 10, 15, 21>();
  add_to(states[0], round.a);
  add_to(states[1], round.b);
  add_to(states[2], round.c);
  add_to(states[3], round.d);
}

#undef NDC_LANES

// The message of a lane: its whole blocks where they stand, then its padded end.
class Lane {
 public:
  // Section 3.1 and 3.2: a bit, zeros, and the length in bits.
  void begin(std::string_view message, size_t number) noexcept {
    number_ = number;
    at_ = reinterpret_cast<const uint8_t*>(message.data());
    whole_ = message.size() / kBlockBytes;
    const size_t rest = message.size() % kBlockBytes;
    const size_t end = rest + 1 + kLengthBytes <= kBlockBytes ? kBlockBytes : 2 * kBlockBytes;
    for (size_t i = 0; i < sizeof end_; i += sizeof(__m128i))  // memset() would be a slow instruction here
      _mm_store_si128(reinterpret_cast<__m128i*>(end_ + i), _mm_setzero_si128());
    if (rest != 0) std::memcpy(end_, message.data() + whole_ * kBlockBytes, rest);
    end_[rest] = 0x80;
    const uint64_t bits = uint64_t{message.size()} * 8;
    std::memcpy(end_ + end - kLengthBytes, &bits, sizeof bits);
    left_ = whole_ + end / kBlockBytes;
    if (whole_ == 0) at_ = end_;
  }
  const uint8_t* block() const noexcept { return at_; }
  size_t number() const noexcept { return number_; }
  bool is_busy() const noexcept { return left_ != 0; }

  // True if that was the message's last block.
  bool advance() noexcept {
    if (left_ == 0) return false;
    at_ += kBlockBytes;
    if (whole_ != 0 && --whole_ == 0) at_ = end_;
    return --left_ == 0;
  }
  // The lane's result is looked at by nobody.
  void rest() noexcept { at_ = end_; }

 private:
  const uint8_t* at_ = nullptr;
  size_t whole_ = 0;  // whole blocks left
  size_t left_ = 0;   // blocks left
  size_t number_ = 0;
  alignas(__m128i) uint8_t end_[2 * kBlockBytes] = {};
};

}  // namespace

bool has_md5_lanes() noexcept {
  return __builtin_cpu_supports("avx2") != 0;
}

void md5_side_by_side(std::span<const std::string_view> messages, Md5Digest* digests) noexcept {
  std::array<Lane, kLanes> lanes;
  States states{};
  size_t next = 0;
  size_t busy = 0;
  const auto refill = [&](size_t lane) {
    if (next == messages.size()) {
      lanes[lane].rest();
      return;
    }
    lanes[lane].begin(messages[next], next);
    for (size_t i = 0; i < kFirstState.size(); ++i)
      states[i][lane] = kFirstState[i];
    ++next;
    ++busy;
  };
  for (size_t lane = 0; lane < kLanes; ++lane)
    refill(lane);
  Blocks blocks{};
  while (busy != 0) {
    for (size_t lane = 0; lane < kLanes; ++lane)
      blocks[lane] = lanes[lane].block();
    add_blocks(blocks, states);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      if (!lanes[lane].advance()) continue;
      Md5Digest& digest = digests[lanes[lane].number()];
      for (size_t i = 0; i < kFirstState.size(); ++i)
        std::memcpy(digest.data() + 4 * i, &states[i][lane], sizeof(uint32_t));
      --busy;
      refill(lane);
    }
  }
}

#else

bool has_md5_lanes() noexcept {
  return false;
}

void md5_side_by_side(std::span<const std::string_view>, Md5Digest*) noexcept {
  assert(false);
}

#endif

}  // namespace nd
