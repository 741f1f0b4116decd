// The stored state of the spot index, and bytes that cannot be one.
#include "spotsigs/spot_index_state.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace nd::spotsigs {
namespace {

SpotIndexState example() {
  SpotIndexState state;
  state.last_sequence = SpotIndexState::kGreatestSequence;
  state.oldest_sequence = 17;
  state.posting_count = 1000;
  state.inserted_since_epoch = 3;
  state.epoch = 4;
  state.epoch_documents = 5;
  state.evicted = 6;
  state.refused = 7;
  state.dropped = {0, 8, (uint64_t{1} << 56) - 1};
  return state;
}

Vector<uint8_t> bytes_of(const SpotIndexState& state) {
  Vector<uint8_t> bytes;
  state.write(bytes);
  return bytes;
}

TEST(SpotIndexStateTest, IsReadAsItWasWritten) {
  const Vector<uint8_t> bytes = bytes_of(example());
  EXPECT_EQ(bytes.size(), 8U * 11);
  const Result<SpotIndexState> state = SpotIndexState::parse(bytes);
  ASSERT_TRUE(state);
  EXPECT_EQ(bytes_of(*state), bytes);
  EXPECT_EQ(state->oldest_sequence, 17U);
  EXPECT_EQ(state->refused, 7U);
  EXPECT_EQ(state->dropped, example().dropped);
  EXPECT_TRUE(SpotIndexState::parse(bytes_of({})));
}

TEST(SpotIndexStateTest, ImpossibleBytesAreRefused) {
  const Vector<uint8_t> bytes = bytes_of(example());
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(static_cast<bool>(SpotIndexState::parse({bytes.data(), size})), size >= 64 && size % 8 == 0);
  const auto refused = [](const auto& change) {
    SpotIndexState state = example();
    change(state);
    const Result<SpotIndexState> parsed = SpotIndexState::parse(bytes_of(state));
    return !parsed && parsed.failure().status == Status::kCorrupt;
  };
  EXPECT_TRUE(refused([](SpotIndexState& state) { ++state.last_sequence; }));
  EXPECT_TRUE(refused([](SpotIndexState& state) { state.oldest_sequence = 0; }));
  EXPECT_TRUE(refused([](SpotIndexState& state) { state.oldest_sequence = state.last_sequence + 2; }));
  EXPECT_TRUE(refused([](SpotIndexState& state) { state.dropped = {8, 8}; }));
  EXPECT_TRUE(refused([](SpotIndexState& state) { state.dropped = {9, 8}; }));
  EXPECT_TRUE(refused([](SpotIndexState& state) { state.dropped = {uint64_t{1} << 56}; }));
}

}  // namespace
}  // namespace nd::spotsigs
