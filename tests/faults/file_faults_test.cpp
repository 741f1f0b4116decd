// Every call that touches a file fails, in each way that it can: once, or from then on until the call of the
// library returns, with memory for a message or without. What is left on the disk can be opened and holds all
// that was acknowledged and nothing else; the engine continues, or says that it must be reopened.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "faults/interposed_files.hpp"
#include "faults/rehearsal.hpp"
#include "faults/sweep_case.hpp"

namespace faults {
namespace {

namespace fs = std::filesystem;

// How picture_of() shows ND_ERR_CORRUPT.
constexpr const char* kDamaged = "-4: ";

bool moves_reader(const std::string& step) {
  return step == "open_reader" || step == "refresh";
}

bool takes_snapshot(const std::string& step) {
  return step == "snapshot" || step == "compact" || step == "close";
}

nd_status open_store_at(const std::string& path, const std::string& durability, nd_engine*& engine) {
  nd_options* options = nullptr;
  nd_status status = nd_options_new(&options);
  if (status == ND_OK) status = nd_options_set(options, "durability", durability.c_str());
  if (status == ND_OK) status = nd_open(path.c_str(), options, &engine);
  nd_options_free(options);
  return status;
}

class FileSweep {
 public:
  FileSweep(const Scenario& scenario, Mode mode)
      : scenario_(scenario),
        mode_(mode),
        stage_(scenario),
        expected_(rehearse(scenario, stage_, file_clock)) {
    for (const FaultPoint& point : expected_.points) {
      for (const FileFault fault : faults_of(static_cast<FileOperation>(point.kind)))
        points_.push_back({point.number, point.site * 31 + static_cast<uint64_t>(fault), point.call,
                           static_cast<uint32_t>(fault)});
    }
  }

  void run() {
    const std::vector<FaultPoint> sample = sample_by_site(points_, points_limit());
    tried_ = sample.size();
    for (const FaultPoint& point : sample) {
      const Held before = held_now();
      std::string fault = play(point);
      const std::string excess = describe_excess(before, held_now());
      if (fault.empty() && !excess.empty()) fault = "lost: " + excess;
      if (fault.empty()) continue;
      const FaultPoint& place = expected_.points[point.number - 1];
      faults_.push_back(fault + "\n  " + std::string(name_of(static_cast<FileFault>(point.kind))) + " of " +
                        std::string(name_of(static_cast<FileOperation>(place.kind))) + " " +
                        std::to_string(point.number) + " in call " + scenario_.steps[point.call].name + " (" +
                        std::to_string(point.call) + ")\n" + describe_site(place.site));
      if (faults_.size() >= 5) return;
    }
  }

  void report() const {
    std::printf(
        "%s, files, %s: %zu calls, %zu points at %zu sites, %zu tried: %zu told, %zu made up for, %zu opened "
        "anew; %s\n",
        scenario_.name.c_str(), name_of(mode_).c_str(), expected_.points.size(), points_.size(),
        count_sites(points_), tried_, told_, tried_ - told_, reopened_,
        faults_.empty() ? "all passed" : "FAILED");
    for (const std::string& fault : faults_)
      ADD_FAILURE() << fault;
    EXPECT_GT(told_, 0U);
  }

 private:
  // The fault found, or nothing.
  std::string play(const FaultPoint& point) {
    World world(stage_.store());
    file_clock.arm(point.number, mode_, point.kind);
    std::string fault;
    bool ended = false;
    bool is_damage_told = false;
    counts_differ_ = false;
    bool is_older = false;  // the reader's generation: the newest could not be read
    for (size_t i = 0; i < scenario_.steps.size() && fault.empty() && !ended; ++i) {
      const bool had_struck = file_clock.has_struck();
      const Outcome outcome = perform(scenario_, i, world);
      const bool is_struck = file_clock.has_struck() && !had_struck;
      if (is_struck) memory_clock.disarm();
      if (outcome == expected_.outcomes[i]) {
        is_older |= is_struck && moves_reader(scenario_.steps[i].name);
        continue;
      }
      if (counts_differ_ && scenario_.steps[i].name == "get_stats" && outcome.status == ND_OK) continue;
      if (is_older && scenario_.steps[i].name == "find_by_reader" && outcome.status == ND_ERR_NOT_FOUND)
        continue;
      const bool is_met_later = is_read(point) && outcome.status == ND_ERR_CORRUPT && !is_damage_told;
      if (is_struck || is_met_later) {
        ++told_;
        is_damage_told = outcome.status == ND_ERR_CORRUPT;
        fault = after_failure(i, outcome, point, world, ended);
      } else {
        fault = "a later call, " + scenario_.steps[i].name + ": " + text_of(outcome) + " and not " +
                text_of(expected_.outcomes[i]);
      }
    }
    if (fault.empty() && !file_clock.has_struck()) fault = "the run came to no such call";
    file_clock.disarm();
    if (!fault.empty() || ended) return fault;
    nd_close(std::exchange(world.engine, nullptr));
    return look_at_end(world.path());
  }

  std::string after_failure(size_t i, const Outcome& outcome, const FaultPoint& point, World& world,
                            bool& ended) {
    if (scenario_.steps[i].name == "repair_store" &&
        (outcome.status == ND_OK || outcome.status == ND_ERR_CORRUPT))
      return after_partial_repair(i, world);
    // What cannot be read is a fault of the store there, with the system's words.
    if (scenario_.steps[i].name == "merge_stores" && outcome.status == ND_ERR_CORRUPT)
      return perform(scenario_, i, world) == expected_.outcomes[i] ? "" : "merged again: another store";
    if (!is_right(outcome, point)) return "failed with " + text_of(outcome) + " (" + nd_last_error() + ")";
    if (scenario_.steps[i].name.starts_with("remove_matching")) return after_partial(i, world, ended);
    const bool is_closed = scenario_.steps[i].name == "close";
    // Unreadable data counts as damage, and calls fail until the store is reopened.
    const std::string content_now = picture_of(world.engine).content;
    const bool is_damaged = is_read(point) && content_now.find(kDamaged) != content_now.npos;
    if (world.engine != nullptr && !is_damaged && !may_be(content_now, i))
      return "the engine is not as before the call:\n" + content_now + " and not\n" + known_before(i);
    if (std::string left = look_at_copy(i, world); !left.empty()) return left;
    if (is_closed) {
      // Changes beyond the promised durability are lost, so the following answers differ.
      ended = scenario_.durability == "snapshot";
      return "";
    }
    // In room that was reserved a record is written after its change, which is in force then; the next call
    // writes it.
    const bool has_happened_now = content_now != known_before(i) && content_now == known_before(i + 1);
    // If all calls fail from then on, the first may have been a read for which another one made up.
    const bool may_be_a_write = outcome.status == ND_ERR_IO || outcome.status == ND_ERR_NO_MEMORY;
    const bool is_write_failed =
        is_write(point) || (is_read(point) && mode_ != Mode::kOnce && may_be_a_write);
    if (is_write_failed && can_cut(point) && has_happened_now) {
      counts_differ_ = true;
      return "";
    }
    Outcome again = perform(scenario_, i, world);
    if (again == expected_.outcomes[i]) return "";
    // A change written before the sync failed may have been made; then there is nothing left to remove.
    const bool has_happened = again.status == ND_ERR_NOT_FOUND && content_now == known_before(i + 1);
    const bool is_stuck =
        again.status == ND_ERR_IO || has_happened || (is_damaged && again.status == ND_ERR_CORRUPT);
    if (!is_stuck || world.engine == nullptr) return "called again: " + text_of(again);
    // A write or a sync of the journal has failed: nothing is taken until the store is reopened.
    if (!open_anew(world)) return "cannot be opened anew: " + std::string(nd_last_error());
    const std::string content = picture_of(world.engine).content;
    if (scenario_.durability == "snapshot") {
      ended = true;
      return may_be_left(content, i) ? "" : "opened anew, it knows\n" + content;
    }
    if (!may_be(content, i)) return "opened anew, it knows\n" + content + " and not\n" + known_before(i);
    if (content != known_before(i)) return "";  // it had happened
    again = perform(scenario_, i, world);
    return again == expected_.outcomes[i] ? "" : "called on the store opened anew: " + text_of(again);
  }

  // Some pages may have gone, says the header, and the same call continues.
  std::string after_partial(size_t i, World& world, bool& ended) {
    Outcome again = perform(scenario_, i, world);
    if (again.status == ND_ERR_IO) {
      if (!open_anew(world)) return "cannot be opened anew: " + std::string(nd_last_error());
      ended = scenario_.durability == "snapshot";
      if (ended) return "";
      again = perform(scenario_, i, world);
    }
    if (again.status != ND_OK) return "called again: " + text_of(again);
    const std::string content = picture_of(world.engine).content;
    return content == known_before(i + 1) ? "" : "called again, it knows\n" + content;
  }

  bool open_anew(World& world) {
    ++reopened_;
    counts_differ_ = true;
    nd_close(std::exchange(world.engine, nullptr));
    return open_store_at(world.path(), scenario_.durability, world.engine) == ND_OK;
  }

  bool is_read(const FaultPoint& point) const {
    return static_cast<FileOperation>(expected_.points[point.number - 1].kind) == FileOperation::kRead;
  }

  bool is_write(const FaultPoint& point) const {
    return static_cast<FileOperation>(expected_.points[point.number - 1].kind) == FileOperation::kWrite;
  }

  // Whether what a failed write has left of its record could be cut off; else nothing more is taken.
  bool can_cut(const FaultPoint& point) const {
    return mode_ == Mode::kOnce || static_cast<FileFault>(point.kind) != FileFault::kInputOutput;
  }

  bool is_right(const Outcome& outcome, const FaultPoint& point) const {
    if (!outcome.answer.empty()) return false;
    const auto operation = static_cast<FileOperation>(expected_.points[point.number - 1].kind);
    if (mode_ == Mode::kStarving && outcome.status == ND_ERR_NO_MEMORY) return true;
    if (is_read(point) && outcome.status == ND_ERR_CORRUPT) return true;
    if (operation == FileOperation::kThread) return outcome.status == ND_ERR_LIMIT;
    return outcome.status == (operation == FileOperation::kReserve ? ND_ERR_NO_MEMORY : ND_ERR_IO);
  }

  // Unreadable data counts as lost and is listed, whatever the reason; another try finds all of it.
  std::string after_partial_repair(size_t i, World& world) {
    const Outcome again = perform(scenario_, i, world);
    return again == expected_.outcomes[i] ? "" : "repaired again: " + text_of(again);
  }

  // The engine's knowledge before the i-th call.
  std::string known_before(size_t i) const {
    while (i-- > 0) {
      if (!expected_.pictures[i].content.empty()) return expected_.pictures[i].content;
    }
    return "0: 0 pages, 0 groups\n";
  }
  // A change whose call failed may have happened if it was the sync that failed.
  bool may_be(const std::string& content, size_t i) const {
    return content == known_before(i) || content == known_before(i + 1);
  }
  // Whether the content may be what the process leaves if it dies now.
  bool may_be_left(const std::string& content, size_t i) const {
    if (scenario_.durability != "snapshot") return may_be(content, i);
    for (size_t last = i + 1; last-- > 0;) {
      if (!takes_snapshot(scenario_.steps[last].name)) continue;
      if (content == known_before(last + 1)) return true;
      if (last < i) return false;
    }
    return content == known_before(0);
  }

  std::string look_at_copy(size_t i, const World& world) const {
    std::error_code error;
    const std::string copy = world.path() + "-copy";
    if (!fs::exists(world.path(), error)) return "";
    fs::copy(world.path(), copy, fs::copy_options::recursive, error);
    nd_engine* engine = nullptr;
    std::string fault;
    if (open_store_at(copy, "journal", engine) != ND_OK) {
      fault = "what is left cannot be opened: " + std::string(nd_last_error());
    } else if (const std::string content = picture_of(engine).content; !may_be_left(content, i)) {
      fault = "what is left holds\n" + content + " and not\n" + known_before(i);
    }
    nd_close(engine);
    fs::remove_all(copy, error);
    return fault;
  }

  std::string look_at_end(const std::string& path) const {
    nd_engine* engine = nullptr;
    if (open_store_at(path, "journal", engine) != ND_OK)
      return "at the end it cannot be opened: " + std::string(nd_last_error());
    const std::string content = picture_of(engine).content;
    nd_close(engine);
    const std::string expected = known_before(scenario_.steps.size());
    return content == expected ? "" : "at the end the store holds\n" + content + " and not\n" + expected;
  }

  const Scenario& scenario_;
  const Mode mode_;
  const Stage stage_;
  const Rehearsal expected_;
  std::vector<FaultPoint> points_;  // kind: a FileFault
  size_t tried_ = 0;
  size_t told_ = 0;
  size_t reopened_ = 0;
  // In this run: counts begin when a store is opened, and a check that failed is not among them although its
  // change was made.
  bool counts_differ_ = false;
  std::vector<std::string> faults_;
};

class FileFaultsTest : public ::testing::TestWithParam<SweepCase> {};

TEST_P(FileFaultsTest, WhatWasAcknowledgedIsThere) {
  FileSweep sweep(GetParam().scenario, GetParam().mode);
  sweep.run();
  sweep.report();
}

INSTANTIATE_TEST_SUITE_P(Scenarios, FileFaultsTest,
                         ::testing::ValuesIn(sweep_cases(store_scenarios(),
                                                         {Mode::kOnce, Mode::kFromThenOn, Mode::kStarving})),
                         name_of_case);

}  // namespace
}  // namespace faults
