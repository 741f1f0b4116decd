// The counters of an engine in the Prometheus text exposition format.
#pragma once

#include "core/memory.hpp"
#include "engine/engine.hpp"

namespace nd::engine {

// Labels are fixed: never a URL or a site.
void write_metrics(const Engine& engine, String& out);

}  // namespace nd::engine
