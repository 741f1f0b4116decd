// What a fuzz target calls when an answer is wrong. It aborts, so that libFuzzer keeps the input and the
// replay fails in every build, also without sanitizers and assertions.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace nd::fuzz {

[[noreturn]] inline void fail(const char* what) {
  std::fprintf(stderr, "fuzz target: %s\n", what);
  std::abort();
}

inline void expect(bool holds, const char* what) {
  if (!holds) fail(what);
}

}  // namespace nd::fuzz
