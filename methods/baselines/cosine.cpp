// Posts the rarest words of a vector only and scores what they find; docs/baselines.md shows why that misses
// nothing.
#include "baselines/cosine.hpp"

#include <cmath>
#include <utility>

namespace nd::baselines {
namespace {

using Wide = unsigned __int128;

// A little less than 2^30, so that rounding in doubles never makes a vector longer than one.
constexpr double kUnit = (1 << 30) - 1;

double score_of(uint64_t product) noexcept {
  return static_cast<double>(product) / static_cast<double>(kCosineUnit);
}

}  // namespace

uint64_t dot_product(std::span<const CosineTerm> a, std::span<const CosineTerm> b) noexcept {
  uint64_t product = 0;
  for (size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    if (a[i].hash == b[k].hash) product += uint64_t{a[i].weight} * b[k].weight;
    const bool next_a = a[i].hash <= b[k].hash;
    const bool next_b = b[k].hash <= a[i].hash;
    i += next_a;
    k += next_b;
  }
  return product;
}

Vector<CosineTerm> CosineIndex::weights_by(const EpochFrequencies& epoch, TermVector terms) {
  const auto documents = static_cast<double>(std::max<uint64_t>(epoch.documents(), 1));
  Vector<double> raw;
  double squares = 0;
  for (const TermCount& term : terms) {
    const double idf = std::log(1 + documents / static_cast<double>(epoch.frequency(term.hash)));
    raw.push_back((1 + std::log(static_cast<double>(term.count))) * idf);
    squares += raw.back() * raw.back();
  }
  Vector<CosineTerm> weights;
  const double scale = squares > 0 ? kUnit / std::sqrt(squares) : 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    const auto weight = static_cast<uint32_t>(raw[i] * scale);
    if (weight != 0) weights.push_back({terms[i].hash, weight});
  }
  return weights;
}

// The rarest words, until the rest of the vector is shorter than the threshold: by the Cauchy-Schwarz
// inequality, its product with a vector that shares none of them is too small. Why the prefixes of two
// vectors must meet: docs/baselines.md.
Vector<uint64_t> CosineIndex::prefix(const EpochFrequencies& epoch,
                                     std::span<const CosineTerm> weights) const {
  struct Placed {
    uint64_t frequency;
    CosineTerm term;
  };
  Vector<Placed> placed;
  for (const CosineTerm& term : weights)
    placed.push_back({epoch.frequency(term.hash), term});
  std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
    return a.frequency != b.frequency ? a.frequency < b.frequency : a.term.hash < b.term.hash;
  });
  const Wide least = Wide{least_product()} * least_product();
  uint64_t behind = 0;  // squared length of the rest
  size_t length = placed.size();
  while (length > 0) {
    const uint64_t weight = placed[length - 1].term.weight;
    if (Wide{behind + weight * weight} * kCosineUnit >= least) break;
    behind += weight * weight;
    --length;
  }
  Vector<uint64_t> keys;
  for (size_t i = 0; i < length; ++i)
    keys.push_back(placed[i].term.hash);
  return keys;
}

Vector<CosineTerm> CosineIndex::weights(TermVector terms) const {
  return weights_by(epoch_, terms);
}

double CosineIndex::score(TermVector a, TermVector b) const {
  return score_of(dot_product(weights(a), weights(b)));
}

bool CosineIndex::insert(uint64_t id, TermVector terms) {
  if (terms.empty()) return records_.refuse();
  Vector<CosineTerm> made = weights(terms);
  Vector<uint64_t> keys = prefix(epoch_, made);
  const bool inserted = records_.insert(id, {{terms.begin(), terms.end()}, std::move(made)}, std::move(keys));
  inserted_since_epoch_ += inserted;
  return inserted;
}

Matches CosineIndex::find(TermVector terms) const {
  const Vector<CosineTerm> asked = weights(terms);
  // The comparison that callers of score() make; least_product(), rounded down, is below every such score.
  const double least_score = parameters_.threshold / 1000.0;
  return records_.find(prefix(epoch_, asked), asked.size() * sizeof(CosineTerm), [&](const Record& record) {
    const double score = score_of(dot_product(asked, record.weights));
    return score >= least_score ? score : -1.0;
  });
}

void CosineIndex::start_epoch() {
  EpochFrequencies epoch(secret_);
  records_.for_each([&](const Record& record) { epoch.count(record.terms); });
  records_.remake([&](const Record& record) {
    Vector<CosineTerm> made = weights_by(epoch, record.terms);
    Vector<uint64_t> keys = prefix(epoch, made);
    return std::pair(Record{record.terms, std::move(made)}, std::move(keys));
  });
  epoch_ = std::move(epoch);
  inserted_since_epoch_ = 0;
}

}  // namespace nd::baselines
