// The counters of an engine in the Prometheus text exposition format.
#pragma once

#include "core/memory.hpp"
#include "engine/engine.hpp"

namespace nd::engine {

// No labels but fixed ones: never a URL or a site.
void write_metrics(const Engine& engine, String& out);

}  // namespace nd::engine
