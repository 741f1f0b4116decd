// What the opaque handles of ndcapi.h point to: each one an object of the engine, with what the C calls need
// beside it.
#pragma once

#include <ndcapi.h>

#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>

#include "core/memory.hpp"
#include "engine/complete_join.hpp"
#include "engine/engine.hpp"
#include "engine/scratch.hpp"
#include "options/option_needs.hpp"
#include "options/options.hpp"
#include "page/site_model.hpp"
#include "store/file_system.hpp"

struct nd_options {
  nd::engine::Options options;
};

struct nd_engine {
  nd::Owned<nd::engine::Engine> engine;
  uint64_t process;  // the process that opened it
#ifndef NDEBUG
  std::atomic<uint32_t> running{0};  // calls, for nd_close
#endif
};

struct nd_join {
  nd::Owned<nd::engine::CompleteJoin> join;
};

struct nd_site_model {
  explicit nd_site_model(uint64_t secret) noexcept : model(secret) {}

  nd::engine::SiteModel model;
};

struct nd_reader {
  nd_reader(const nd::engine::Parameters& chosen, uint64_t secret)
      : parameters(chosen), scratches(secret, chosen.detector.kind()) {}

  const nd::engine::Parameters parameters;
  nd::engine::ScratchPool scratches;
};

namespace nd::capi {

inline const engine::Options& options_of(const nd_options* options) noexcept {
  static const engine::Options defaults;
  return options == nullptr ? defaults : options->options;
}

inline const engine::Parameters& parameters_of(const nd_options* options) noexcept {
  return options_of(options).parameters();
}

// For a call that works with `things` alone (OptionInfo::acts_on). Errors: kInvalidArgument for an option
// that has no effect on them. What it has under the others is the engine's to check.
inline Result<const engine::Parameters*> parameters_for(const nd_options* options, std::string_view things) {
  if (Result<void> used = engine::check_acts_on(options_of(options), things); !used)
    return std::move(used).failure();
  return &parameters_of(options);
}

inline store::FileSystem& store_files() noexcept {
  return store::system_files();
}

}  // namespace nd::capi
