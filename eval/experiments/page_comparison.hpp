// What the LCS says of two pages by themselves: default options, no boilerplate known.
#pragma once

#include <cstdint>
#include <string_view>

#include "decision/verification.hpp"
#include "page/features.hpp"

namespace nd::eval {

// Reusable buffers. Threads: one object, one thread at a time.
class PageComparison {
 public:
  engine::Verification compare(const engine::Features& a, const engine::Features& b) {
    return verifier_.verify(a, b, {}, {});
  }

 private:
  static constexpr uint64_t kSecret = 1;  // no answer depends on it
  engine::Verifier verifier_{kSecret};
};

// exact, near or different.
constexpr std::string_view verdict(const engine::Verification& verification) noexcept {
  if (!verification.similar) return "different";
  return verification.rule == engine::Rule::kExact ? "exact" : "near";
}

}  // namespace nd::eval
