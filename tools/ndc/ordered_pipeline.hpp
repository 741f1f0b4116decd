// Reading on one thread, work on many, writing in the order of reading.
#pragma once

#include <cstddef>
#include <functional>

namespace ndc {

// The steps of a pipeline over a ring of slots, which the caller owns: an item is produced into a slot,
// worked on there and consumed from there.
struct PipelineSteps {
  // Fills the slot with the next item; false: there is none. One thread, in order.
  std::function<bool(size_t slot)> produce;
  // Any thread, in any order.
  std::function<void(size_t slot)> work;
  // The calling thread, in the order of production; false: stop.
  std::function<bool(size_t slot)> consume;
};

// How many slots run_in_order() uses with that many threads.
size_t pipeline_slots(size_t threads);

// Runs until all that was produced is consumed, or consume() says stop. With `threads` == 1 everything runs
// on the calling thread, one item after the other; else there are `threads` workers and a thread that
// produces. What a step throws is thrown again from here, when all threads have ended.
void run_in_order(size_t threads, const PipelineSteps& steps);

// How many slots run_read_ahead() uses.
size_t read_ahead_slots();

// As run_in_order() with one thread, but a thread of its own produces while the calling thread works on the
// items and consumes them, each before the next. What produce() throws is thrown from here once everything
// that was produced before it is consumed. A consumer that stops waits for a produce() that is under way, so
// produce() must not wait long: read files ahead, not pipes.
void run_read_ahead(const PipelineSteps& steps);

}  // namespace ndc
