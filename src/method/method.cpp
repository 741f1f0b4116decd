// One row a method: its name, and the threshold with its range and unit.
#include "method/method.hpp"

#include <array>
#include <charconv>

namespace nd::detectors {
namespace {

constexpr std::string_view kThousandths = "thousandths";

// Sources of the defaults: docs/detectors.md.
constexpr std::array<MethodInfo, kMethods> kInfos = {{
    {"lcs", 0, 0, 1, ""},
    {"spotsigs", 440, 1000, 1000, kThousandths},
    {"i-match-s", 1, 0, 1, ""},
    {"lsh-s", 440, 1000, 1000, kThousandths},
    {"moz-vector", 122, 128, 128, "equal entries of 128"},
    {"simhash64", 59, 64, 64, "equal bits of 64"},
    {"simhash128", 97, 128, 128, "equal bits of 128"},
    {"mwo", 500, 1000, 1000, kThousandths},
    {"shingles", 500, 1000, 1000, kThousandths},
    {"minhash", 500, 1000, 1000, kThousandths},
    {"cosine", 800, 999, 1000, kThousandths},
    {"i-match", 1, 0, 1, ""},
    {"exact", 1, 0, 1, ""},
}};

String to_text(uint32_t number) {
  char text[12];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, number);
  return String(text, static_cast<size_t>(end.ptr - text));
}

}  // namespace

const MethodInfo& info_of(Method method) noexcept {
  return kInfos[static_cast<size_t>(method)];
}

double least_score(Method method, uint32_t threshold) noexcept {
  const MethodInfo& info = info_of(method);
  return static_cast<double>(threshold != 0 ? threshold : info.threshold) / info.whole;
}

bool uses_spots(Method method) noexcept {
  return method == Method::kSpotSigs || method == Method::kIMatchS || method == Method::kLshS;
}

bool uses_shingles(Method method) noexcept {
  return method == Method::kShingles || method == Method::kMinHash;
}

Result<void> check_threshold(Method method, uint32_t threshold) {
  const MethodInfo& info = info_of(method);
  if (threshold <= info.most) return {};
  if (info.most == 0) {
    return error(Status::kInvalidArgument, "option detector_threshold: detector ", info.name,
                 " has no threshold; leave it 0");
  }
  return error(Status::kInvalidArgument, "option detector_threshold: detector ", info.name, " takes 1..",
               to_text(info.most), " ", info.unit, ", or 0 for its default, ", to_text(info.threshold));
}

}  // namespace nd::detectors
