// Records in any layers against an ordered map, and views that outlive changes.
#include "store/layered_records.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>

#include "unit/spotsigs/counted_memory.hpp"
#include "unit/store/memory_run.hpp"

namespace nd::store {
namespace {

using sample::MemoryEntry;
using sample::MemoryRun;
using sample::MemorySink;
using RecordsOracle = std::map<uint64_t, std::string>;

// A text; the first byte of its bytes is its length.
struct Text {
  struct View {
    std::string_view text;
  };
  String text;

  View view() const noexcept { return {text}; }
  static std::optional<View> parse(Bytes bytes) noexcept {
    if (bytes.empty() || bytes.size() != 1U + bytes[0]) return std::nullopt;
    return View{{reinterpret_cast<const char*>(bytes.data()) + 1, bytes.size() - 1}};
  }
  static Text copy(const View& view) { return {String(view.text)}; }
  void write(Vector<uint8_t>& out) const {
    out.push_back(static_cast<uint8_t>(text.size()));
    out.insert(out.end(), text.begin(), text.end());
  }
  uint64_t memory_bytes() const noexcept { return text.size() > 15 ? text.capacity() + 1 : 0; }
};
using Table = LayeredRecords<Text>;

RecordsOracle all_of(const Table& table, uint64_t from) {
  RecordsOracle all;
  uint64_t last = 0;
  table.for_each(from, [&](uint64_t key, const Text::View& view) {
    EXPECT_TRUE(all.empty() || last < key);
    last = key;
    all[key] = std::string(view.text);
    return true;
  });
  return all;
}

RecordsOracle all_of(const RecordsOracle& oracle, uint64_t from) {
  return {oracle.lower_bound(from), oracle.end()};
}

std::optional<std::string> text_of(const Table& table, uint64_t key) {
  const auto view = table.find(key);
  if (!view) return std::nullopt;
  return std::string(view->text);
}

void append(Table& table, uint64_t key, std::string_view text) {
  Text* record = table.change(key);
  ASSERT_NE(record, nullptr);
  const uint64_t before = record->memory_bytes();
  record->text.append(text);
  table.changed(before, record->memory_bytes());
}

TEST(LayeredRecordsTest, AChangedRecordIsCopiedIntoMemory) {
  Table table(1);
  Runs runs;
  table.insert(1, {"one"});
  table.insert(2, {"two"});
  table.freeze();
  MemorySink sink;
  ASSERT_TRUE(table.write_frozen(sink));
  runs.push_back(sample::make_run(sink.take()));
  append(table, 1, "!");
  EXPECT_EQ(text_of(table, 1), "one!");
  table.install(runs);
  EXPECT_EQ(text_of(table, 1), "one!");
  append(table, 2, "?");
  EXPECT_EQ(text_of(table, 2), "two?");
  EXPECT_EQ(Text::parse(runs[0]->find(2)->value)->text, "two");
  EXPECT_EQ(table.change(3), nullptr);
  table.erase(2);
  EXPECT_EQ(table.change(2), nullptr);
  EXPECT_EQ(table.size(), 1U);
}

TEST(LayeredRecordsTest, EqualsAnOrderedMapInAnyLayers) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    std::mt19937_64 random(seed);
    auto table = std::make_unique<Table>(random());
    sample::Snapshots snapshots;
    RecordsOracle oracle;
    const uint64_t keys = seed % 3 == 0 ? 10 : 300;
    for (int step = 0; step < 4000; ++step) {
      const uint64_t key = random() % keys - 5;
      const uint64_t what = random() % 100;
      const std::string text(random() % 40, static_cast<char>('a' + random() % 26));
      if (what < 55) {
        if (!oracle.contains(key)) {
          table->insert(key, {String(text)});
          oracle[key] = text;
        } else if (oracle[key].size() + text.size() < 200) {
          append(*table, key, text);
          oracle[key] += text;
        }
      } else if (what < 98) {
        table->erase(key);
        oracle.erase(key);
      } else {
        ASSERT_TRUE(snapshots.step(*table, random));
      }
      if (random() % 500 == 0) {
        ASSERT_TRUE(snapshots.finish(*table, random));
        table = std::make_unique<Table>(random());
        table->attach(snapshots.runs(), oracle.size());
      }
      const uint64_t asked = random() % keys - 5;
      ASSERT_EQ(text_of(*table, asked),
                oracle.contains(asked) ? std::optional(oracle.at(asked)) : std::nullopt);
      ASSERT_EQ(table->size(), oracle.size());
      if (step % 200 == 0) {
        ASSERT_EQ(all_of(*table, asked), all_of(oracle, asked));
      }
    }
    EXPECT_EQ(all_of(*table, 0), oracle);
  }
}

TEST(LayeredRecordsTest, ViewsLiveThroughFreezeAndOtherChanges) {
  Table table(1);
  const std::string long_text(100, 'x');
  table.insert(1, {String(long_text)});
  const Text* address = table.change(1);
  const Text::View view = *table.find(1);
  for (uint64_t key = 2; key < 500; ++key)
    table.insert(key, {"y"});
  EXPECT_EQ(table.change(1), address);
  table.freeze();
  for (uint64_t key = 1000; key < 1500; ++key)
    table.insert(key, {"z"});
  append(table, 1, "more");
  EXPECT_EQ(view.text, long_text);
  EXPECT_EQ(text_of(table, 1), long_text + "more");
}

TEST(LayeredRecordsTest, MemoryIsCountedExactly) {
  spotsigs::sample::CountedMemory memory;
  {
    Table table(3);
    std::mt19937_64 random(3);
    for (int step = 0; step < 3000; ++step) {
      const uint64_t key = random() % 100;
      if (!table.find(key)) {
        table.insert(key, {String(random() % 60, 'x')});
      } else if (random() % 2 == 0) {
        append(table, key, "0123456789");
      } else {
        table.erase(key);
      }
      if (step == 1000) table.freeze();
      if (step == 2000) {
        table.install({});
        EXPECT_GT(memory.held_bytes(), table.memory_bytes()) << "put aside, for a moment without locks";
        table.discard();
      }
      ASSERT_EQ(table.memory_bytes(), memory.held_bytes()) << step;
    }
  }
  EXPECT_EQ(memory.held_bytes(), 0U);
}

TEST(LayeredRecordsTest, FailedAllocationsChangeNothing) {
  spotsigs::sample::CountedMemory memory;
  {
    Table table(3);
    Runs runs;
    MemoryRun::Entries entries;
    const uint8_t bytes[21] = {20, 'a', 'b', 'c'};
    for (uint64_t key = 0; key < 100; ++key)
      entries[key] = MemoryEntry::of(bytes);
    runs.push_back(sample::make_run(std::move(entries)));
    table.attach(runs, 100);
    for (uint64_t round = 0; round < 300; ++round) {
      const uint64_t key = round % 200;
      for (uint64_t allocations = 0;; ++allocations) {
        const RecordsOracle before = all_of(table, 0);
        const uint64_t size = table.size();
        memory.fail_after(allocations, false);
        try {
          if (key < 100) {
            table.change(key);
          } else if (!table.find(key)) {
            table.insert(key, {"short"});
          }
          memory.stop_failing();
          break;
        } catch (const std::bad_alloc&) {
          memory.stop_failing();
          ASSERT_EQ(all_of(table, 0), before);
          ASSERT_EQ(table.size(), size);
        }
      }
      if (round % 7 == 0) {
        table.reserve_more(1);
        memory.fail_after(0, true);
        table.erase(round * 5 % 200);
        EXPECT_FALSE(memory.stop_failing());
      }
    }
  }
}

TEST(LayeredRecordsTest, ImpossibleValuesReadAsAbsent) {
  const uint8_t bytes[] = {5, 'a', 'b'};
  MemoryRun::Entries old_entries;
  const uint8_t good[] = {1, 'a'};
  old_entries[1] = MemoryEntry::of(good);
  old_entries[2] = MemoryEntry::of(good);
  MemoryRun::Entries entries;
  entries[1] = MemoryEntry::of(bytes);
  Runs runs{sample::make_run(old_entries), sample::make_run(entries)};
  Table table(1);
  table.attach(runs, 2);
  EXPECT_FALSE(table.find(1));
  EXPECT_EQ(table.change(1), nullptr);
  table.erase(1);
  EXPECT_EQ(all_of(table, 0), (RecordsOracle{{2, "a"}}));
  table.insert(1, {"new"});
  EXPECT_EQ(text_of(table, 1), "new");
  table.erase(1);
  EXPECT_FALSE(table.find(1));
}

}  // namespace
}  // namespace nd::store
