#include "detectors/description.hpp"

#include <bit>

#include "baselines/min_hash.hpp"
#include "baselines/term_counts.hpp"
#include "moz/fingerprint_vector.hpp"
#include "mwo/share_vector.hpp"

namespace nd::detectors {
namespace {

static_assert(std::endian::native == std::endian::little, "descriptions are little-endian");

Error corrupt(Method method) {
  return error(Status::kCorrupt, "features with an impossible description of detector ",
               info_of(method).name);
}

bool is_row(Description description, size_t width, size_t limit) noexcept {
  return description.size() % width == 0 && description.size() / width <= limit;
}

template <typename T>
T at(Description description, size_t offset) noexcept {
  T value;
  std::memcpy(&value, description.data() + offset, sizeof value);
  return value;
}

// key(i) of each of `count` elements is greater than that of the one before.
template <typename Key>
bool ascends(size_t count, const Key& key) {
  for (size_t i = 1; i < count; ++i) {
    if (key(i) <= key(i - 1)) return false;
  }
  return true;
}

bool are_spots(Description description) {
  if (!is_row(description, sizeof(spotsigs::PackedSpot), kSpotsLimit)) return false;
  const size_t count = description.size() / sizeof(spotsigs::PackedSpot);
  const auto spot = [&](size_t i) {
    return spotsigs::spot_of(at<spotsigs::PackedSpot>(description, i * sizeof(spotsigs::PackedSpot)));
  };
  for (size_t i = 0; i < count; ++i) {
    if (spot(i).count == 0) return false;
  }
  return ascends(count, [&](size_t i) { return spot(i).hash; });
}

bool are_shares(Description description) {
  if (!is_row(description, kMwoTermBytes, kMwoTermsLimit)) return false;
  const size_t count = description.size() / kMwoTermBytes;
  uint64_t sum = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto share = at<uint32_t>(description, i * kMwoTermBytes + sizeof(uint64_t));
    if (share == 0) return false;
    sum += share;
  }
  return (count == 0 || sum == mwo::kShareUnit) &&
         ascends(count, [&](size_t i) { return at<uint64_t>(description, i * kMwoTermBytes); });
}

bool are_terms(Description description) {
  using baselines::TermCount;
  if (!is_row(description, sizeof(TermCount), kTermsLimit)) return false;
  const size_t count = description.size() / sizeof(TermCount);
  for (size_t i = 0; i < count; ++i) {
    if (at<TermCount>(description, i * sizeof(TermCount)).count == 0) return false;
  }
  return ascends(count, [&](size_t i) { return at<TermCount>(description, i * sizeof(TermCount)).hash; });
}

bool are_shingles(Description description) {
  return is_row(description, sizeof(uint64_t), kShinglesLimit) &&
         ascends(description.size() / sizeof(uint64_t),
                 [&](size_t i) { return at<uint64_t>(description, i * sizeof(uint64_t)); });
}

bool is_possible(Method method, Description description) {
  const auto is_of = [&](size_t size) { return description.empty() || description.size() == size; };
  switch (method) {
    case Method::kLcs:
      return description.empty();
    case Method::kSpotSigs:
    case Method::kIMatchS:
    case Method::kLshS:
      return are_spots(description);
    case Method::kMozVector:
      return is_of(sizeof(moz::FingerprintVector));
    case Method::kSimhash64:
      return is_of(sizeof(uint64_t));
    case Method::kSimhash128:
    case Method::kExact:
      return is_of(2 * sizeof(uint64_t));
    case Method::kMwo:
      return are_shares(description);
    case Method::kShingles:
      return are_shingles(description);
    case Method::kMinHash: {
      constexpr baselines::MinHashParameters kSketch;
      return is_of(size_t{kSketch.rows} * kSketch.bands * sizeof(uint64_t));
    }
    case Method::kCosine:
    case Method::kIMatch:
      return are_terms(description);
  }
  return false;
}

}  // namespace

Result<void> check_description(Method method, Description description) {
  if (!is_possible(method, description)) return corrupt(method);
  return {};
}

}  // namespace nd::detectors
