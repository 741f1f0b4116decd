// Holds a store that was opened after a crash against what had been acknowledged.
#pragma once

#include <ndcapi.h>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "acknowledged.hpp"
#include "page_stream.hpp"

namespace crash {

// The guarantees of a store: the values of option `durability`.
enum class Promise { kNone, kSnapshot, kEverything };
Promise promise_of(std::string_view durability);

// Where the stream continues: the bookmark's value, 0 without one. Throws std::runtime_error if the store is
// anything but the state after a number of operations that the promise allows, or its bookmark is later than
// that.
uint64_t recovered_position(nd_engine* engine, const PageStream& stream,
                            const std::vector<Acknowledged>& lines, Promise promise);

}  // namespace crash
