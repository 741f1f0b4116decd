// The steps of RFC 1321 over vectors of eight (AVX2) or four words: one text (md5_rounds.inc) is compiled for
// both, so the digests agree.
#include "core/md5_lanes.hpp"

#include <bit>
#include <cstring>

namespace nd {
namespace {

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

uint32_t little_endian(uint32_t word) noexcept {
  return std::endian::native == std::endian::little ? word : __builtin_bswap32(word);
}

[[gnu::always_inline]] inline uint32_t word_at(const uint8_t* block, size_t index) noexcept {
  uint32_t word;
  std::memcpy(&word, block + 4 * index, sizeof word);
  return little_endian(word);
}

#if defined(__x86_64__)
namespace avx2 {
#define NDC_MD5_TARGET gnu::target("avx2"),
constexpr size_t kLanes = 8;
typedef uint32_t Words __attribute__((vector_size(4 * kLanes)));
[[gnu::target("avx2"), gnu::always_inline]] inline void gather(const std::array<const uint8_t*, kLanes>& p,
                                                               size_t i, Words& words) noexcept {
  words = Words{word_at(p[0], i), word_at(p[1], i), word_at(p[2], i), word_at(p[3], i),
                word_at(p[4], i), word_at(p[5], i), word_at(p[6], i), word_at(p[7], i)};
}
#include "core/md5_rounds.inc"
}  // namespace avx2
#endif

namespace portable {
#define NDC_MD5_TARGET
constexpr size_t kLanes = 4;
typedef uint32_t Words __attribute__((vector_size(4 * kLanes)));
[[gnu::always_inline]] inline void gather(const std::array<const uint8_t*, kLanes>& p, size_t i,
                                          Words& words) noexcept {
  words = Words{word_at(p[0], i), word_at(p[1], i), word_at(p[2], i), word_at(p[3], i)};
}
#include "core/md5_rounds.inc"
}  // namespace portable

// The message of a lane: first its whole blocks, read in place, then its padded end.
class Lane {
 public:
  // Section 3.1 and 3.2: a bit, zeros, and the length in bits.
  void begin(std::string_view message, size_t number) noexcept {
    number_ = number;
    at_ = reinterpret_cast<const uint8_t*>(message.data());
    whole_ = message.size() / kBlockBytes;
    const size_t rest = message.size() % kBlockBytes;
    const size_t end = rest + 1 + kLengthBytes <= kBlockBytes ? kBlockBytes : 2 * kBlockBytes;
    for (Zeros* zeros = reinterpret_cast<Zeros*>(end_); zeros != reinterpret_cast<Zeros*>(end_ + sizeof end_);
         ++zeros)
      *zeros = Zeros{};  // memset() would be a slow instruction here
    if (rest != 0) std::memcpy(end_, message.data() + whole_ * kBlockBytes, rest);
    end_[rest] = 0x80;
    const uint64_t bits = uint64_t{message.size()} * 8;
    const std::array<uint32_t, 2> halves = {little_endian(static_cast<uint32_t>(bits)),
                                            little_endian(static_cast<uint32_t>(bits >> 32))};
    std::memcpy(end_ + end - kLengthBytes, halves.data(), kLengthBytes);
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
  // The lane's result is not used.
  void rest() noexcept { at_ = end_; }

 private:
  typedef uint64_t Zeros __attribute__((vector_size(16), may_alias));

  const uint8_t* at_ = nullptr;
  size_t whole_ = 0;  // whole blocks left
  size_t left_ = 0;   // blocks left
  size_t number_ = 0;
  alignas(Zeros) uint8_t end_[2 * kBlockBytes] = {};
};

template <typename Rounds>
void run_lanes(std::span<const std::string_view> messages, Md5Digest* digests) noexcept {
  constexpr size_t kLanes = Rounds::kWidth;
  std::array<Lane, kLanes> lanes;
  std::array<std::array<uint32_t, kLanes>, 4> states{};  // a, b, c, d by lane
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
  std::array<const uint8_t*, kLanes> blocks{};
  while (busy != 0) {
    for (size_t lane = 0; lane < kLanes; ++lane)
      blocks[lane] = lanes[lane].block();
    Rounds::add_blocks(blocks, states);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      if (!lanes[lane].advance()) continue;
      Md5Digest& digest = digests[lanes[lane].number()];
      for (size_t i = 0; i < kFirstState.size(); ++i) {
        const uint32_t word = little_endian(states[i][lane]);
        std::memcpy(digest.data() + 4 * i, &word, sizeof word);
      }
      --busy;
      refill(lane);
    }
  }
}

}  // namespace

void md5_side_by_side(std::span<const std::string_view> messages, Md5Digest* digests) noexcept {
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2) return run_lanes<avx2::Rounds>(messages, digests);
#endif
  md5_side_by_side_portable(messages, digests);
}

void md5_side_by_side_portable(std::span<const std::string_view> messages, Md5Digest* digests) noexcept {
  run_lanes<portable::Rounds>(messages, digests);
}

}  // namespace nd
