// How a page is published while others read, as a small model of which all interleavings are visited: the
// lock (update_lock.cpp) and the sequence counters and segments of a table (packed_number_map.cpp), written
// once more by hand, so that a change there has to be made here. Threads of a test meet few of the orders in
// which steps can follow each other; here none is left out. Each step is one access to shared memory, in one
// order for all threads: what a processor may reorder is not tested.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace nd::publication_model {
namespace {

constexpr size_t kReaders = 2;
constexpr size_t kUpdaters = 3;
constexpr size_t kThreads = kReaders + kUpdaters;

// What is left out of the protocol: the model must then fail.
enum class Fault {
  kNone,
  kReadsWithoutFirstLook,   // at the counter, behind the copied entry
  kReadsWithoutSecondLook,  // at the counter, behind the slot
  kFreesBeforeChange,
  kChangesBesideReaders,
  kEqualChanges,  // that a reader who waits cannot tell apart
  kWakesNoReader,
  kWakesNoChange,
  kWakesNoUpdater,
};

enum Word : uint8_t { kAwake, kReadersIn, kReadersOut, kTurn };

struct Thread {
  uint8_t step = 0;
  uint8_t asleep_on = kAwake;
  uint8_t seen = 0;       // the word that it waits for, as it was
  uint8_t seen_bits = 0;  // of that word, where it is readers_in
  uint8_t bits = 0;       // of the change that a reader waits for
  uint8_t ticket = 0;
  uint8_t replaced = 0;  // segment, which it has to free
  uint8_t inside = 0;    // readers before a change
  uint8_t page = 0;
  uint8_t counter = 0;
  uint8_t entry[2] = {0, 0};
  uint8_t slot = 0;
};

// All of it bytes, so that states can be compared as such.
struct State {
  uint8_t readers_in = 0, change_bits = 0, readers_out = 0;
  uint8_t next_ticket = 0, turn = 0, changes = 0;
  uint8_t counter = 0;                   // of the part that holds the entry and its segments
  uint8_t entry[2] = {0, 0};             // of the directory: which segment, in two words
  uint8_t slots[kUpdaters + 1][2] = {};  // of each segment, in two words
  uint8_t is_freed[kUpdaters + 1] = {};
  uint8_t page[2] = {0, 0};  // what the change itself writes
  Thread threads[kThreads];
};

static_assert(std::has_unique_object_representations_v<State>);

constexpr uint8_t kEnd = 100;

class Model {
 public:
  explicit Model(Fault fault) : fault_(fault) { visit_all(); }

  const std::string& failure() const { return failure_; }
  size_t state_count() const { return states_.size(); }

 private:
  using Key = std::array<char, sizeof(State)>;
  struct Hash {
    size_t operator()(const Key& key) const {
      return std::hash<std::string_view>()({key.data(), key.size()});
    }
  };

  void fail(const char* why) {
    if (failure_.empty()) failure_ = why;
  }

  // Continues at a step, without what was read before but the lock's ticket and the segment to free: what is
  // not needed any more must not tell states apart.
  static void restart(Thread& t, uint8_t step) {
    const uint8_t ticket = t.ticket;
    const uint8_t segment = t.replaced;
    t = Thread();
    t.step = step;
    t.ticket = ticket;
    t.replaced = segment;
  }

  static bool is_reader(size_t thread) { return thread < kReaders; }

  static void wake(State& s, Word word) {
    for (Thread& thread : s.threads)
      if (thread.asleep_on == word) thread.asleep_on = kAwake;
  }

  static void look_again(Thread& t) {
    const uint8_t page = t.page;
    restart(t, 5);
    t.page = page;
  }

  // One step of a reader; steps 3 to 11 are within its section.
  void read(State& s, Thread& t) {
    switch (t.step) {
      case 0:  // lock_shared()
        ++s.readers_in;
        t.bits = s.change_bits;
        t.step = t.bits == 0 ? 3 : 1;
        return;
      case 1:
        t.seen = s.readers_in;
        t.seen_bits = s.change_bits;
        ++t.step;
        if (t.seen_bits != t.bits) restart(t, 3);
        return;
      case 2:  // wait()
        if (s.readers_in == t.seen && s.change_bits == t.seen_bits) t.asleep_on = kReadersIn;
        t.seen = t.seen_bits = 0;
        t.step = 1;
        return;
      case 3:
        t.page = s.page[0];
        ++t.step;
        return;
      case 4:
        if (s.page[1] != t.page) fail("half a change was read");
        ++t.step;
        return;
      case 5:  // find_counted()
        t.counter = s.counter;
        ++t.step;
        return;
      case 6:
        t.entry[0] = s.entry[0];
        ++t.step;
        return;
      case 7:
        t.entry[1] = s.entry[1];
        ++t.step;
        return;
      case 8:
        t.step =
            fault_ == Fault::kReadsWithoutFirstLook || (t.counter % 2 == 0 && s.counter == t.counter) ? 9 : 5;
        return;
      case 9:
        if (t.entry[0] != t.entry[1]) return fail("memory of two segments was read as one");
        if (s.is_freed[t.entry[0]] != 0) return fail("freed memory was read");
        t.slot = s.slots[t.entry[0]][0];
        ++t.step;
        return;
      case 10:
        if (s.is_freed[t.entry[0]] != 0) return fail("freed memory was read");
        t.seen = s.slots[t.entry[0]][1];
        ++t.step;
        return;
      case 11:
        if (fault_ != Fault::kReadsWithoutSecondLook && s.counter != t.counter) return look_again(t);
        if (t.slot != t.seen) fail("half a slot was read");
        if (t.slot < t.page) fail("a page was there before its keys");
        restart(t, 12);
        return;
      case 12:  // unlock_shared()
        ++s.readers_out;
        ++t.step;
        return;
      default:
        if (fault_ != Fault::kWakesNoChange) wake(s, kReadersOut);
        t = Thread();
        t.step = kEnd;
    }
  }

  // One step of an updater, which adds a key, replaces the segment, and makes a change.
  void update(State& s, Thread& t) {
    const auto own = static_cast<uint8_t>(t.ticket + 1);  // what it writes, and the number of its segment
    switch (t.step) {
      case 0:  // lock()
        t.ticket = s.next_ticket++;
        ++t.step;
        return;
      case 1:
        t.seen = s.turn;
        ++t.step;
        if (t.seen == t.ticket) restart(t, 3);
        return;
      case 2:
        if (s.turn == t.seen) t.asleep_on = kTurn;
        t.seen = 0;
        t.step = 1;
        return;
      case 3:  // put_concurrently()
      case 6:
      case 7:
      case 10:
        ++s.counter;
        ++t.step;
        return;
      case 4:
        s.slots[s.entry[0]][0] = own;
        ++t.step;
        return;
      case 5:
        s.slots[s.entry[0]][1] = own;
        ++t.step;
        return;
      case 8:
        t.replaced = s.entry[0];
        std::memcpy(s.slots[own], s.slots[s.entry[0]], 2);  // nobody else knows it yet
        s.entry[0] = own;
        ++t.step;
        return;
      case 9:
        s.entry[1] = own;
        ++t.step;
        return;
      case 11:  // begin_change()
        if (fault_ == Fault::kFreesBeforeChange) s.is_freed[t.replaced] = 1;
        s.change_bits = fault_ == Fault::kEqualChanges ? 2 : static_cast<uint8_t>(2 | (s.changes & 1));
        ++s.changes;
        t.inside = s.readers_in;
        t.step = fault_ == Fault::kChangesBesideReaders ? 14 : 12;
        return;
      case 12:
        t.seen = s.readers_out;
        ++t.step;
        if (t.seen == t.inside) restart(t, 14);
        return;
      case 13:
        if (s.readers_out == t.seen) t.asleep_on = kReadersOut;
        t.seen = 0;
        t.step = 12;
        return;
      case 14:
        s.page[0] = own;
        ++t.step;
        return;
      case 15:
        s.page[1] = own;
        ++t.step;
        return;
      case 16:  // end_change()
        s.change_bits = 0;
        ++t.step;
        return;
      case 17:
        if (fault_ != Fault::kWakesNoReader) wake(s, kReadersIn);
        ++t.step;
        return;
      case 18:  // release_replaced()
        s.is_freed[t.replaced] = 1;
        ++t.step;
        return;
      case 19:  // unlock()
        ++s.turn;
        ++t.step;
        return;
      default:
        if (fault_ != Fault::kWakesNoUpdater) wake(s, kTurn);
        t = Thread();
        t.step = kEnd;
    }
  }

  // Threads that do the same may be exchanged: that leaves a twelfth of the states.
  static void sort_threads(State& state) {
    const auto order = [](const Thread& a, const Thread& b) {
      return std::memcmp(&a, &b, sizeof(Thread)) < 0;
    };
    std::sort(state.threads, state.threads + kReaders, order);
    std::sort(state.threads + kReaders, state.threads + kThreads, order);
  }

  static Key key_of(const State& state) {
    Key key;
    std::memcpy(key.data(), &state, sizeof(State));
    return key;
  }

  uint32_t number_of(const State& state) {
    const auto [place, is_new] = states_.try_emplace(key_of(state), static_cast<uint32_t>(states_.size()));
    if (is_new) {
      open_.push_back(state);
      before_.emplace_back();
    }
    return place->second;
  }

  void visit_all() {
    number_of(State());
    std::vector<uint32_t> ended;
    while (!open_.empty() && failure_.empty()) {
      const State state = open_.back();
      open_.pop_back();
      const uint32_t number = states_.at(key_of(state));
      bool may_go_on = false;
      bool has_ended = true;
      for (size_t i = 0; i < kThreads; ++i) {
        const Thread& thread = state.threads[i];
        has_ended &= thread.step == kEnd;
        if (thread.step == kEnd || thread.asleep_on != kAwake) continue;
        may_go_on = true;
        State next = state;
        is_reader(i) ? read(next, next.threads[i]) : update(next, next.threads[i]);
        sort_threads(next);
        const uint32_t follower = number_of(next);
        before_[follower].push_back(number);
      }
      if (has_ended) ended.push_back(number);
      if (!has_ended && !may_go_on) fail("all sleep");
    }
    if (failure_.empty()) expect_all_may_end(ended);
  }

  // Whatever has happened, some order of the next steps lets all threads end.
  void expect_all_may_end(std::vector<uint32_t> open) {
    std::vector<bool> may_end(states_.size());
    for (const uint32_t number : open)
      may_end[number] = true;
    size_t count = open.size();
    while (!open.empty()) {
      const uint32_t number = open.back();
      open.pop_back();
      for (const uint32_t earlier : before_[number]) {
        if (may_end[earlier]) continue;
        may_end[earlier] = true;
        ++count;
        open.push_back(earlier);
      }
    }
    if (count != states_.size()) fail("threads wait for each other for ever");
  }

  Fault fault_;
  std::string failure_;
  std::unordered_map<Key, uint32_t, Hash> states_;
  std::vector<State> open_;
  std::vector<std::vector<uint32_t>> before_;
};

TEST(PublicationModelTest, EveryOrderOfStepsKeepsWhatTheLockPromises) {
  const Model model(Fault::kNone);
  EXPECT_EQ(model.failure(), "");
  EXPECT_GT(model.state_count(), 500'000U);
}

TEST(PublicationModelTest, WithoutOneOfItsPartsTheProtocolFails) {
  const std::pair<Fault, const char*> faults[] = {
      {Fault::kReadsWithoutFirstLook, "memory of two segments was read as one"},
      {Fault::kReadsWithoutSecondLook, "half a slot was read"},
      {Fault::kFreesBeforeChange, "freed memory was read"},
      {Fault::kChangesBesideReaders, "half a change was read"},
      {Fault::kEqualChanges, "all sleep"},
      {Fault::kWakesNoReader, "all sleep"},
      {Fault::kWakesNoChange, "all sleep"},
      {Fault::kWakesNoUpdater, "all sleep"},
  };
  for (const auto& [fault, failure] : faults)
    EXPECT_EQ(Model(fault).failure(), failure);
}

}  // namespace
}  // namespace nd::publication_model
