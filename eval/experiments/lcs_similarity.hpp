// The report's decision on two texts: the LCS of their filtered sketches, its trustable part, and two ratios
// (TR2007012 sections 3.2, 4.3 and 4.4).
#pragma once

#include <cstdint>
#include <optional>

#include "lcs/comparison.hpp"
#include "lcs_text.hpp"

namespace nd::eval::partition {

inline constexpr double kResemblance = 0.28;  // TR2007012 section 5.4
inline constexpr double kContainment = 0.70;  // the same

// L / (|A| + |B| − L), 0..1; 0 if both texts are empty.
double resemblance(const ComparedText& a, const ComparedText& b, uint64_t matched_width);
// r ≥ kResemblance, or L / |B| ≥ kContainment: B is the page that is compared with a document or
// representative A.
bool is_similar(const ComparedText& a, const ComparedText& b, uint64_t matched_width);
// The least matched width with which is_similar() holds; at least 1.
uint64_t least_width(const ComparedText& a, const ComparedText& b);

struct TrustOptions {
  uint32_t window_width = lcs::kDefaultWindowWidth;  // 1: the whole texts, nothing that can match is dropped
  std::optional<double> slope = lcs::TrustableParameters{}.slope;  // nothing: the whole LCS is trusted
};

// Reusable buffers. Threads: one object, one thread at a time.
class TrustedComparer {
 public:
  // The width of the trustable LCS; one region, as in the report's experiments: text that changed places does
  // not count. `need_width`: 0 is answered where the sketches show that less can match. Nothing: the
  // comparison passed lcs::ComparisonParameters::work_limit.
  std::optional<uint64_t> trusted_width(const ComparedText& a, const ComparedText& b,
                                        const TrustOptions& options, uint64_t need_width = 0);

 private:
  lcs::Comparer comparer_;
  lcs::Comparison comparison_;
};

}  // namespace nd::eval::partition
