// The C interface in an order that nobody planned: pages are checked, asked for, removed, changed and fetched
// again; the store is snapshotted, closed, killed and opened again; and each answer fits all before it.
#include "fuzz/engine_session.hpp"
#include "fuzz/input_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr int kCallsLimit = 100;
  nd::fuzz::InputReader input(data, size);
  nd::fuzz::EngineSession session(input);
  if (!session.is_open()) return 0;
  for (int calls = 0; calls < kCallsLimit && !input.at_end(); ++calls)
    session.call(input);
  session.finish();
  return 0;
}
