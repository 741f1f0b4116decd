// Every allocation of a scenario fails, once or from then on until the call returns, whoever asked for it:
// ndc, libxml2, ICU, the C++ library. The call says so, leaves nothing and changes nothing; called
// again it answers as if nothing had been.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "faults/rehearsal.hpp"
#include "faults/sweep_case.hpp"

namespace faults {
namespace {

struct Tally {
  size_t refused = 0;
  size_t forgiven = 0;  // the call did without
  size_t later = 0;     // of them: and what was forgotten showed later
  size_t missed = 0;    // the run took less memory than before
  size_t lost_by_others = 0;
  size_t left_out = 0;
  std::vector<std::string> faults;
  size_t kept_once = 0;  // another library has set something up for good
};

// Blocks that other libraries lose when they meet no memory, by a function on the way: of ICU 72 what a break
// iterator has taken when its making fails, of libxml2 2.9 a parser's context.
struct Loss {
  std::string owner;
  std::string function;
};
const Loss kKnownLosses[] = {{"ICU", " ubrk_open_"}, {"libxml2", " htmlNewParserCtxt"}};

bool is_known(const std::string& excess, uint64_t site) {
  return std::ranges::any_of(kKnownLosses, [&](const Loss& loss) {
    return excess.find(" of ") == excess.find(" of " + loss.owner) &&
           excess.find(" of ") == excess.rfind(" of ") && !is_of_ndc(excess) &&
           describe_site(site).find(loss.function) != std::string::npos;
  });
}

// ICU 72 crashes, there or at the first use, if there is no memory for a part of a charset detector.
bool crashes_icu(const FaultPoint& point) {
  return describe_site(point.site).find("CharsetDetector::CharsetDetector(") != std::string::npos;
}

class MemorySweep {
 public:
  MemorySweep(const Scenario& scenario, Mode mode)
      : scenario_(scenario),
        mode_(mode),
        stage_(scenario),
        expected_(rehearse(scenario, stage_, memory_clock)) {}

  void run() {
    const std::vector<FaultPoint> sample = sample_by_site(expected_.points, points_limit());
    for (const FaultPoint& point : sample) {
      if (crashes_icu(point)) {
        ++tally_.left_out;
        continue;
      }
      ++tried_;
      try_point(point);
      if (tally_.faults.size() >= 5) return;
    }
  }

  void report() const {
    std::printf(
        "%s, %s: %zu points at %zu sites, %zu tried: %zu refused, %zu forgiven (%zu seen later), %zu missed; "
        "other libraries lost blocks at %zu, kept some once at %zu, crash at %zu; %s\n",
        scenario_.name.c_str(), name_of(mode_).c_str(), expected_.points.size(),
        count_sites(expected_.points), tried_, tally_.refused, tally_.forgiven, tally_.later, tally_.missed,
        tally_.lost_by_others, tally_.kept_once, tally_.left_out,
        tally_.faults.empty() ? "all passed" : "FAILED");
    for (const std::string& fault : tally_.faults)
      ADD_FAILURE() << fault;
    EXPECT_LE(tally_.missed * 50, tried_) << "the runs are not alike";
  }

 private:
  void try_point(const FaultPoint& point) {
    const Held before = held_now();
    std::string fault = play(point);
    const std::string excess = describe_excess(before, held_now());
    if (fault.empty() && !excess.empty()) {
      // What a library sets up once in a process is there now; what is lost is lost again.
      const Held again = held_now();
      fault = play(point);
      const std::string lost = describe_excess(again, held_now());
      if (lost.empty() && is_of_ndc(excess)) {
        fault = "kept, though only once: " + excess;
      } else if (lost.empty()) {
        ++tally_.kept_once;
      } else if (is_known(lost, point.site)) {
        ++tally_.lost_by_others;
      } else if (fault.empty()) {
        fault = "lost: " + lost;
      }
    }
    if (fault.empty()) return;
    tally_.faults.push_back(fault + "\n  allocation " + std::to_string(point.number) + " in call " +
                            scenario_.steps[point.call].name + " (" + std::to_string(point.call) + ")\n" +
                            describe_site(point.site));
  }

  // The fault found, or nothing.
  std::string play(const FaultPoint& point) {
    World world(stage_.store());
    memory_clock.arm(point.number, mode_);
    bool forgave = false;
    std::string fault;
    for (size_t i = 0; i < scenario_.steps.size() && fault.empty(); ++i) {
      const bool had_struck = memory_clock.has_struck();
      const Outcome outcome = perform(scenario_, i, world);
      const bool is_struck = memory_clock.has_struck() && !had_struck;
      if (outcome != expected_.outcomes[i]) {
        if (is_struck) {
          fault = after_refusal(i, outcome, world);
          forgave |= is_partial(i);
        } else if (forgave && may_have_forgotten(i) && outcome.status == expected_.outcomes[i].status) {
          ++tally_.later;
          if (scenario_.learns) break;  // from here on it is another engine
        } else {
          fault = "a later call, " + scenario_.steps[i].name + ": " + text_of(outcome) + " and not " +
                  text_of(expected_.outcomes[i]);
        }
        if (is_struck && scenario_.durability == "snapshot" && scenario_.steps[i].name == "close") break;
      } else if (is_struck) {
        ++tally_.forgiven;
        forgave = true;
        if (!scenario_.learns && !picture_of(world.engine).is_but_for_events(expected_.pictures[i]))
          fault = "forgiven, and the engine knows something else";
      }
    }
    tally_.missed += !memory_clock.has_struck();
    memory_clock.disarm();
    return fault;
  }

  // An event may be lost for lack of memory.
  bool may_have_forgotten(size_t i) const {
    return scenario_.learns || scenario_.steps[i].name == "each_event";
  }

  // Some pages may have gone, says the header, and the same call continues; an event of theirs may be lost.
  bool is_partial(size_t i) const { return scenario_.steps[i].name.starts_with("remove_matching"); }

  std::string after_refusal(size_t i, const Outcome& outcome, World& world) {
    ++tally_.refused;
    if (outcome.status != ND_ERR_NO_MEMORY || !outcome.answer.empty())
      return "refused with " + text_of(outcome) + " (" + nd_last_error() + "), expected " +
             text_of(expected_.outcomes[i]);
    const bool closed = scenario_.steps[i].name == "close";
    if (!closed && !is_partial(i) && i != 0 && picture_of(world.engine) != expected_.pictures[i - 1])
      return "the engine is not as before the call:\n" + picture_of(world.engine).content + " and not\n" +
             expected_.pictures[i - 1].content;
    if (closed) return "";
    const Outcome again = perform(scenario_, i, world);
    if (again.status != expected_.outcomes[i].status || (!is_partial(i) && again != expected_.outcomes[i]))
      return "called again: " + text_of(again) + " and not " + text_of(expected_.outcomes[i]);
    const Picture picture = picture_of(world.engine);
    const bool is_right =
        is_partial(i) ? picture.is_but_for_events(expected_.pictures[i]) : picture == expected_.pictures[i];
    return is_right ? "" : "called again, the engine knows something else";
  }

  const Scenario& scenario_;
  const Mode mode_;
  const Stage stage_;
  const Rehearsal expected_;
  size_t tried_ = 0;
  Tally tally_;
};

class MemoryFaultsTest : public ::testing::TestWithParam<SweepCase> {};

TEST_P(MemoryFaultsTest, EveryFailureIsToldAndLeavesNoTrace) {
  MemorySweep sweep(GetParam().scenario, GetParam().mode);
  sweep.run();
  sweep.report();
}

INSTANTIATE_TEST_SUITE_P(Scenarios, MemoryFaultsTest,
                         ::testing::ValuesIn(sweep_cases(memory_scenarios(),
                                                         {Mode::kOnce, Mode::kFromThenOn})),
                         name_of_case);

}  // namespace
}  // namespace faults
