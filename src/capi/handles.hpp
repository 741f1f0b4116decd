// What the opaque handles of ndcapi.h are.
#pragma once

#include <ndcapi.h>

#include "core/memory.hpp"
#include "engine/engine.hpp"
#include "engine/options.hpp"

struct nd_options {
  nd::engine::Options options;
};

struct nd_engine {
  nd::Owned<nd::engine::Engine> engine;
};

namespace nd::capi {

inline const engine::Parameters& parameters_of(const nd_options* options) noexcept {
  static const engine::Parameters defaults;
  return options == nullptr ? defaults : options->options.parameters();
}

}  // namespace nd::capi
