// Which calls of a file system fail (for FaultyFiles).
#pragma once

#include <cstdint>
#include <map>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "core/result.hpp"

namespace nd::store {

struct CallKinds {
  enum Kind : uint32_t {
    kOpen = 1,
    kRead = 2,
    kAppend = 4,
    kSync = 8,
    kRename = 16,
    kRemove = 32,
    kTruncate = 64,
    kMap = 128,
    kSyncDirectory = 256,
    kMakeDirectory = 512,
    kList = 1024,
    kSize = 2048,
    kLock = 4096,
    kReserve = 8192,
    kAny = 16383,
  };
  enum class Failure { kOnce, kFromThenOn, kTorn };
};

// Counts calls, and says which of them fails.
struct FailingCalls : CallKinds {
  uint32_t kinds = 0;
  uint64_t countdown = 0;
  Failure failure = Failure::kOnce;
  std::string what;
  bool speechless = false;
  uint64_t failures = 0;
  std::map<uint32_t, uint64_t> counts;

  void set(uint32_t failing, uint64_t n, Failure how, std::string why) {
    kinds = failing;
    countdown = n;
    failure = how;
    what = std::move(why);
    speechless = false;
    failures = 0;
  }

  bool fails(Kind kind) {
    ++counts[kind];
    if ((kinds & kind) == 0 || countdown == 0 || --countdown != 0) return false;
    if (failure == Failure::kFromThenOn) countdown = 1;
    ++failures;
    return true;
  }
  Error tell(std::string_view path) const {
    if (speechless) throw std::bad_alloc();
    return error(Status::kIo, path, ": ", what);
  }
  Result<void> count(Kind kind, std::string_view path) {
    if (fails(kind)) return tell(path);
    return {};
  }

  uint64_t sum(uint32_t of) const {
    uint64_t all = 0;
    for (const auto& [kind, calls] : counts)
      all += (kind & of) != 0 ? calls : 0;
    return all;
  }
};

}  // namespace nd::store
