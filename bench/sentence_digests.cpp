// sentence_digests [ROUNDS]: MD5 of sentences, many side by side against OpenSSL's EVP one by one; the same
// messages, in one thread and in turn.
#include <openssl/evp.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/md5_lanes.hpp"

namespace {

constexpr size_t kMessages = 4096;
constexpr size_t kPasses = 21;  // of a round

std::vector<std::string> generated_messages(size_t least_bytes, size_t most_bytes) {
  std::mt19937_64 random(1);
  std::vector<std::string> messages(kMessages);
  for (std::string& message : messages) {
    message.resize(least_bytes + random() % (most_bytes - least_bytes + 1));
    for (char& c : message)
      c = static_cast<char>('a' + random() % 26);
  }
  return messages;
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// One context for all messages, which is EVP's fastest way.
class EvpMd5 {
 public:
  EvpMd5() : md5_(EVP_MD_fetch(nullptr, "MD5", nullptr)), context_(EVP_MD_CTX_new()) {}
  EvpMd5(const EvpMd5&) = delete;
  EvpMd5& operator=(const EvpMd5&) = delete;
  ~EvpMd5() {
    EVP_MD_CTX_free(context_);
    EVP_MD_free(md5_);
  }

  bool digest(std::string_view bytes, nd::Md5Digest& out) {
    return md5_ != nullptr && context_ != nullptr && EVP_DigestInit_ex2(context_, md5_, nullptr) == 1 &&
           EVP_DigestUpdate(context_, bytes.data(), bytes.size()) == 1 &&
           EVP_DigestFinal_ex(context_, out.data(), nullptr) == 1;
  }

 private:
  EVP_MD* md5_;
  EVP_MD_CTX* context_;
};

// False if they disagree.
bool compare(size_t least_bytes, size_t most_bytes, int rounds) {
  constexpr size_t kWays = 3;
  const std::vector<std::string> held = generated_messages(least_bytes, most_bytes);
  const std::vector<std::string_view> messages(held.begin(), held.end());
  std::array<std::vector<nd::Md5Digest>, kWays> digests;
  digests.fill(std::vector<nd::Md5Digest>(kMessages));
  EvpMd5 evp;
  bool is_sound = true;
  const auto run = [&](size_t way) {
    nd::Md5Digest* out = digests[way].data();
    if (way == 0) return nd::md5_side_by_side(messages, out);
    if (way == 1) return nd::md5_side_by_side_portable(messages, out);
    for (size_t i = 0; i < kMessages; ++i)
      is_sound = evp.digest(messages[i], out[i]) && is_sound;
  };
  std::array<std::vector<double>, kWays> nanoseconds;
  for (int round = 0; round < rounds; ++round) {
    std::array<double, kWays> seconds{};
    for (size_t pass = 0; pass < kPasses; ++pass) {
      for (size_t turn = 0; turn < kWays; ++turn) {
        const size_t way = (pass + turn) % kWays;
        const double start = cpu_seconds();
        run(way);
        seconds[way] += cpu_seconds() - start;
      }
    }
    for (size_t way = 0; way < kWays; ++way)
      nanoseconds[way].push_back(seconds[way] * 1e9 / (static_cast<double>(kMessages) * kPasses));
  }
  std::printf("%zu to %zu bytes: EVP %.0f ns a message", least_bytes, most_bytes, median(nanoseconds[2]));
  for (size_t way = 0; way < 2; ++way) {
    std::vector<double> ratios;
    for (size_t round = 0; round < nanoseconds[way].size(); ++round)
      ratios.push_back(nanoseconds[2][round] / nanoseconds[way][round]);
    const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
    std::printf("; %s %.0f ns, EVP takes %.2f times that (%.2f .. %.2f)",
                way == 0 ? "side by side" : "without AVX2", median(nanoseconds[way]), median(ratios), *least,
                *most);
  }
  std::printf("\n");
  return is_sound && digests[0] == digests[2] && digests[1] == digests[2];
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 7;
  bool agree = true;
  for (const auto& [least, most] : {std::pair<size_t, size_t>{20, 55}, {40, 200}, {200, 1000}})
    agree = compare(least, most, rounds) && agree;
  if (!agree) std::fputs("the digests differ\n", stderr);
  return agree ? 0 : 1;
}
