// Merged runs against a map of all; no entry is ever lost to damage.
#include <gtest/gtest.h>

#include "store/layered_table.hpp"
#include "store/run_file.hpp"
#include "unit/store/run_sample.hpp"

namespace nd::store {
namespace {

// Keeps what a merge gives, and insists on ascending keys.
class TableSink final : public RunSink {
 public:
  Result<void> add(uint64_t key, Bytes value) override { return put(key, sample_text(value)); }
  Result<void> add_erased(uint64_t key) override { return put(key, std::nullopt); }

  SampleTable table;

 private:
  Result<void> put(uint64_t key, std::optional<std::string> value) {
    EXPECT_TRUE(table.empty() || table.rbegin()->first < key);
    table[key] = std::move(value);
    return {};
  }
};

// Fails from the n-th entry on.
class FailingSink final : public RunSink {
 public:
  explicit FailingSink(uint64_t room) : room_(room) {}
  Result<void> add(uint64_t, Bytes) override { return take(); }
  Result<void> add_erased(uint64_t) override { return take(); }

 private:
  Result<void> take() {
    if (room_ == 0) return error(Status::kIo, "full");
    --room_;
    return {};
  }
  uint64_t room_;
};

struct OpenedRun {
  std::shared_ptr<const Run> run;
  RunDescription description;
};

OpenedRun make_run(const TemporaryDirectory& directory, const std::string& name, const SampleTable& table,
                   const ReadMode& mode = {}) {
  const Result<RunDescription> written = write_sample(system_files(), directory.path(), name, table);
  if (!written) throw std::runtime_error(written.failure().message.c_str());
  auto run = open_run(system_files(), directory.path(), *written, mode, std::make_shared<DamageReport>());
  if (!run) throw std::runtime_error(run.failure().message.c_str());
  return {*run, *written};
}

SampleTable merged(const std::vector<SampleTable>& tables, uint64_t least_key, bool drop_erased) {
  SampleTable all;
  for (const SampleTable& table : tables) {
    for (const auto& [key, value] : table)
      all[key] = value;
  }
  std::erase_if(all,
                [&](const auto& entry) { return entry.first < least_key || (drop_erased && !entry.second); });
  return all;
}

TEST(RunMerge, TheNewestOfAKeyWins) {
  const TemporaryDirectory directory;
  const Runs runs = {make_run(directory, "1", {{1, "one"}, {2, "two"}, {3, "three"}}).run,
                     make_run(directory, "2", {{2, "a new two"}, {3, std::nullopt}, {4, "four"}}).run,
                     make_run(directory, "3", {{3, "three again"}, {4, std::nullopt}}).run};
  TableSink all;
  ASSERT_TRUE(merge_runs(runs, 0, false, all));
  EXPECT_EQ(all.table, (SampleTable{{1, "one"}, {2, "a new two"}, {3, "three again"}, {4, std::nullopt}}));
  TableSink live;
  ASSERT_TRUE(merge_runs(runs, 2, true, live));
  EXPECT_EQ(live.table, (SampleTable{{2, "a new two"}, {3, "three again"}}));
  TableSink none;
  ASSERT_TRUE(merge_runs({}, 0, false, none));
  EXPECT_TRUE(none.table.empty());
}

TEST(RunMerge, EqualsAMapOfAll) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 40; ++round) {
    const TemporaryDirectory directory;
    std::vector<SampleTable> tables(1 + random() % 6);
    Runs runs;
    for (SampleTable& table : tables) {
      for (uint64_t i = 1 + random() % 700; i > 0; --i) {
        const uint64_t key = random() % 1000 << (round % 3 * 20);
        std::optional<std::string>& value = table[key];
        if (random() % 3 != 0) value = random_value(random, random() % 30);
      }
      runs.push_back(make_run(directory, std::to_string(runs.size()), table, all_modes()[random() % 4]).run);
    }
    for (const uint64_t least_key : {uint64_t{0}, uint64_t{500} << (round % 3 * 20), ~uint64_t{0}}) {
      for (const bool drop_erased : {false, true}) {
        TableSink sink;
        ASSERT_TRUE(merge_runs(runs, least_key, drop_erased, sink));
        EXPECT_EQ(sink.table, merged(tables, least_key, drop_erased));
      }
    }
  }
}

TEST(RunMerge, ToARunOfItsOwn) {
  std::mt19937_64 random(12);
  const TemporaryDirectory directory;
  const SampleTable first = random_sample(random, 5000, 2);
  const SampleTable second = random_sample(random, 300, 2);
  const Runs runs = {make_run(directory, "1", first).run, make_run(directory, "2", second).run};
  Result<Owned<RunWriter>> writer =
      RunWriter::create(system_files(), directory.path(), "3", RunFormat::kWithFilter);
  ASSERT_TRUE(writer);
  ASSERT_TRUE(merge_runs(runs, 0, true, **writer));
  const Result<RunDescription> written = (*writer)->finish();
  ASSERT_TRUE(written);
  EXPECT_EQ(written->erased_count, 0u);
  const auto run = open_run(system_files(), directory.path(), *written, {}, std::make_shared<DamageReport>());
  ASSERT_TRUE(run);
  EXPECT_EQ(read_sample(**run), merged({first, second}, 0, true));
}

TEST(RunMerge, FailsWithItsSink) {
  const TemporaryDirectory directory;
  const Runs runs = {make_run(directory, "1", {{1, "one"}, {2, std::nullopt}, {3, "three"}}).run};
  for (uint64_t room = 0; room < 3; ++room) {
    FailingSink sink(room);
    const Result<void> done = merge_runs(runs, 0, false, sink);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.failure().status, Status::kIo);
  }
}

// Each byte that is read matters: a merge of a damaged run gives all, or fails.
TEST(RunMerge, NeverLosesEntriesToDamage) {
  std::mt19937_64 random(13);
  const TemporaryDirectory directory;
  const SampleTable damaged = random_sample(random, 3000, 0);
  const SampleTable sound = random_sample(random, 500, 0);
  const RunDescription description = make_run(directory, "1", damaged).description;
  const std::string content = file_content(directory / "1");
  const Runs second = {make_run(directory, "2", sound).run};
  int failed = 0;
  for (int round = 0; round < 300; ++round) {
    std::string changed = content;
    changed[random() % trailer_of(content).checksums_offset] ^= static_cast<char>(1 << random() % 8);
    RunDescription expected = description;
    if (round % 2 == 1) {
      repair_checksums(changed);
      expected = description_of(changed, "1");
    }
    write_content(directory / "1", changed);
    const auto run = open_run(system_files(), directory.path(), expected, {round % 4 < 2, true},
                              std::make_shared<DamageReport>());
    ASSERT_TRUE(run) << run.failure().message;
    const uint64_t least_key = round % 3 == 0 ? random() : 0;
    TableSink sink;
    const Result<void> done = merge_runs({*run, second.front()}, least_key, false, sink);
    if (!done) {
      ++failed;
      EXPECT_EQ(done.failure().status, Status::kCorrupt);
    } else if (round % 2 == 0) {
      EXPECT_EQ(sink.table, merged({damaged, sound}, least_key, false));
    } else {
      // With right checksums a key or a value may be another one, but none is missing.
      EXPECT_GE(sink.table.size() + 1, merged({damaged, sound}, least_key, false).size());
    }
  }
  EXPECT_GT(failed, 100);
}

// The entries of a run with all checksums right, each of which points to the value of the first.
std::shared_ptr<const Run> overlapping_run(const TemporaryDirectory& directory, const SampleTable& table,
                                           std::shared_ptr<DamageReport> damage) {
  make_run(directory, "overlapping", table);
  std::string content = file_content(directory / "overlapping");
  const RunTrailer trailer = trailer_of(content);
  for (uint64_t position = 1; position < trailer.entry_count; ++position) {
    std::memcpy(content.data() + place_offset(trailer, position), content.data() + place_offset(trailer, 0),
                EntryLayout(trailer).data_bytes() + 1);
  }
  repair_checksums(content);
  write_content(directory / "overlapping", content);
  auto run = open_run(system_files(), directory.path(), description_of(content, "overlapping"), {},
                      std::move(damage));
  if (!run) throw std::runtime_error(run.failure().message.c_str());
  return *run;
}

// A small run must not become a large one.
TEST(RunMerge, ValuesThatOverlapAreDamage) {
  const TemporaryDirectory directory;
  SampleTable table;
  for (uint64_t key = 1; key <= 100; ++key)
    table[key] = std::string(key == 1 ? 10'000 : 16, 'v');
  const auto damage = std::make_shared<DamageReport>();
  const Runs runs = {overlapping_run(directory, table, damage)};
  EXPECT_EQ(runs[0]->find(70)->value.size(), 10'000u) << "one alone may be right";
  for (const uint64_t least_key : {uint64_t{0}, uint64_t{50}}) {
    TableSink sink;
    const Result<void> done = merge_runs(runs, least_key, true, sink);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.failure().status, Status::kCorrupt);
    EXPECT_LE(sink.table.size(), 1u);
  }
  EXPECT_TRUE(damage->first());
  LayerMerge walk({}, {}, runs, 0);
  uint64_t walked_bytes = 0;
  while (walk.next())
    walked_bytes += walk.entry().value.size();
  EXPECT_EQ(walked_bytes, 10'000u);
  const Result<void> reported = damage->first();
  ASSERT_FALSE(reported) << "who walks must not take what is left for all";
  EXPECT_EQ(reported.failure().status, Status::kCorrupt);
}

}  // namespace
}  // namespace nd::store
