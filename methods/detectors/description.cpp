// Parses the description of each method, which may come from a stranger's record, and says what two of them
// share.
#include "method/description.hpp"

#include <algorithm>
#include <bit>

#include "baselines/shingles.hpp"
#include "baselines/term_counts.hpp"
#include "detectors/description_rows.hpp"
#include "detectors/mwo_terms.hpp"
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

// Whether key(i) ascends strictly over `count` elements.
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

// One element of a page, and how often it counts.
struct Counted {
  uint64_t hash;
  uint64_t count;
};

Vector<Counted> counted_of(Method method, Description description) {
  Vector<Counted> out;
  if (uses_spots(method)) {
    for (const spotsigs::Spot& spot : spots_of(description))
      out.push_back({spot.hash, spot.count});
  } else if (method == Method::kMwo) {
    for (const mwo::Term& term : mwo_terms_of(description))
      out.push_back({term.hash, 1});
  } else if (method == Method::kCosine || method == Method::kIMatch) {
    for (const baselines::TermCount& term : row_of<baselines::TermCount>(description))
      out.push_back({term.hash, 1});
  } else {
    for (const uint64_t hash : row_of<uint64_t>(description))
      out.push_back({hash, 1});
  }
  return out;
}

// Both are in ascending order.
MethodEvidence shared_of(std::string_view unit, const Vector<Counted>& a, const Vector<Counted>& b) {
  MethodEvidence evidence{unit, 0, 0, 0};
  for (const Counted& element : a)
    evidence.of_a += element.count;
  for (const Counted& element : b)
    evidence.of_b += element.count;
  for (size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    if (a[i].hash == b[k].hash) evidence.shared += std::min(a[i].count, b[k].count);
    const bool next_a = a[i].hash <= b[k].hash;
    const bool next_b = b[k].hash <= a[i].hash;
    i += next_a ? 1 : 0;
    k += next_b ? 1 : 0;
  }
  return evidence;
}

// For methods that compare two pages place by place; a page without a description has no places.
MethodEvidence places_of(std::string_view unit, const Vector<uint64_t>& a, const Vector<uint64_t>& b,
                         bool by_bits) {
  const uint64_t width = by_bits ? 64 : 1;
  MethodEvidence evidence{unit, a.size() * width, b.size() * width, 0};
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const auto unequal = static_cast<uint64_t>(std::popcount(a[i] ^ b[i]));
    evidence.shared += by_bits ? width - unequal : a[i] == b[i];
  }
  return evidence;
}

}  // namespace

Result<void> check_description(Method method, Description description) {
  if (!is_possible(method, description)) return corrupt(method);
  return {};
}

MethodEvidence evidence_of(Method method, Description a, Description b) {
  const auto shared = [&](std::string_view unit) {
    return shared_of(unit, counted_of(method, a), counted_of(method, b));
  };
  const auto places = [&](std::string_view unit, bool by_bits) {
    return places_of(unit, row_of<uint64_t>(a), row_of<uint64_t>(b), by_bits);
  };
  switch (method) {
    case Method::kLcs:
      break;
    case Method::kSpotSigs:
    case Method::kIMatchS:
    case Method::kLshS:
      return shared("spot signatures");
    case Method::kMozVector:
      return places("entries", false);
    case Method::kSimhash64:
    case Method::kSimhash128:
      return places("bits", true);
    case Method::kMwo:
      return shared("terms");
    case Method::kShingles:
      return shared("shingles");
    case Method::kMinHash:
      return places("min-hashes", false);
    case Method::kCosine:
    case Method::kIMatch:
      return shared("words");
    case Method::kExact:
      return {"texts", a.empty() ? 0U : 1U, b.empty() ? 0U : 1U,
              !a.empty() && std::ranges::equal(a, b) ? 1U : 0U};
  }
  return {"", 0, 0, 0};
}

}  // namespace nd::detectors
