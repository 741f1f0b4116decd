// The fingerprints of TR2007012 section 4.2, step by step as the report says them.
#pragma once

#include <span>
#include <vector>

#include "lcs/fingerprints.hpp"

namespace nd::lcs::oracle {

std::vector<Fingerprint> fingerprints(std::span<const SentenceDigest> sentences,
                                      const FingerprintParameters& parameters);

}  // namespace nd::lcs::oracle
