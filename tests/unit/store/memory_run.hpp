// Runs in memory, as simple as can be, and the ways in which tests carry a table through snapshots.
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "store/layered_table.hpp"

namespace nd::store::sample {

struct MemoryEntry {
  bool erased = false;
  size_t size = 0;
  std::vector<uint64_t> words;  // aligned to 8, as a run's values are

  static MemoryEntry of(Bytes value) {
    MemoryEntry entry{false, value.size(), std::vector<uint64_t>(value.size() / 8 + 1)};
    if (!value.empty()) std::memcpy(entry.words.data(), value.data(), value.size());
    return entry;
  }
  Bytes bytes() const { return {reinterpret_cast<const uint8_t*>(words.data()), size}; }
};

class MemoryRun final : public Run {
 public:
  using Entries = std::map<uint64_t, MemoryEntry>;

  explicit MemoryRun(Entries entries) : entries_(std::move(entries)) {
    for (const auto& [key, entry] : entries_)
      order_.emplace_back(key, &entry);
  }
  // For what no writer writes: the entries in this order.
  void disorder(uint64_t seed) {
    std::mt19937_64 random(seed);
    for (size_t i = order_.size(); i > 1; --i)
      std::swap(order_[i - 1], order_[random() % i]);
  }
  // at() fails from here on: a block that cannot be read.
  void hide(uint64_t position) { hidden_.push_back(position); }

  const Entries& entries() const { return entries_; }
  uint64_t entry_count() const noexcept override { return order_.size(); }
  uint64_t file_bytes() const noexcept override { return 0; }
  std::optional<RunEntry> find(uint64_t key) const noexcept override {
    const auto found = entries_.find(key);
    if (found == entries_.end()) return std::nullopt;
    return RunEntry{key, found->second.erased, found->second.bytes()};
  }
  uint64_t lower_bound(uint64_t key) const noexcept override {
    return static_cast<uint64_t>(std::distance(entries_.begin(), entries_.lower_bound(key)));
  }
  using Run::at;
  std::optional<RunEntry> at(uint64_t position, RunHint&) const noexcept override {
    for (uint64_t hidden : hidden_) {
      if (hidden == position) return std::nullopt;
    }
    if (position >= order_.size()) return std::nullopt;
    const auto& [key, entry] = order_[position];
    return RunEntry{key, entry->erased, entry->bytes()};
  }
  void report_disorder(uint64_t) const noexcept override { ++disorders_; }
  int disorders() const noexcept { return disorders_; }

 private:
  Entries entries_;
  std::vector<std::pair<uint64_t, const MemoryEntry*>> order_;
  std::vector<uint64_t> hidden_;
  mutable int disorders_ = 0;
};

class MemorySink final : public RunSink {
 public:
  // The entry after `count` others fails.
  explicit MemorySink(uint64_t count = UINT64_MAX) : left_(count) {}

  Result<void> add(uint64_t key, Bytes value) override { return add_entry(key, MemoryEntry::of(value)); }
  Result<void> add_erased(uint64_t key) override { return add_entry(key, MemoryEntry{true, 0, {}}); }
  bool ascending() const { return ascending_; }
  MemoryRun::Entries take() { return std::move(entries_); }

 private:
  Result<void> add_entry(uint64_t key, MemoryEntry entry) {
    if (left_ == 0) return error(Status::kIo, "no room");
    --left_;
    ascending_ = ascending_ && (entries_.empty() || entries_.rbegin()->first < key);
    entries_[key] = std::move(entry);
    return {};
  }

  MemoryRun::Entries entries_;
  uint64_t left_;
  bool ascending_ = true;
};

inline std::shared_ptr<const Run> make_run(MemoryRun::Entries entries) {
  return std::make_shared<MemoryRun>(std::move(entries));
}

// Runs that are all MemoryRun, made one from the position `from` on.
inline Runs merged(const Runs& runs, size_t from) {
  Runs out(runs.begin(), runs.begin() + static_cast<ptrdiff_t>(from));
  MemoryRun::Entries entries;
  for (size_t i = from; i < runs.size(); ++i) {
    for (const auto& [key, entry] : static_cast<const MemoryRun&>(*runs[i]).entries())
      entries[key] = entry;
  }
  if (from == 0) std::erase_if(entries, [](const auto& entry) { return entry.second.erased; });
  if (!entries.empty()) out.push_back(make_run(std::move(entries)));
  return out;
}

// Carries a table through the steps of snapshots, one a call, some of which merge runs; sometimes closes the
// store and attaches the runs to a new table.
class Snapshots {
 public:
  const Runs& runs() const { return runs_; }

  // What a snapshot does next to the table: freeze it, write what is frozen, or install the runs.
  bool step(LayeredTable& table, std::mt19937_64& random) {
    if (!table.has_frozen()) {
      table.prepare_freeze();
      table.freeze();
      return true;
    }
    if (!written_) {
      if (random() % 4 == 0) {
        MemorySink failing(random() % 3);
        (void)table.write_frozen(failing).operator bool();
      }
      MemorySink sink;
      const bool succeeded = static_cast<bool>(table.write_frozen(sink)) && sink.ascending();
      MemoryRun::Entries entries = sink.take();
      written_ = runs_;
      if (!entries.empty()) written_->push_back(make_run(std::move(entries)));
      if (random() % 2 == 0) written_ = merged(*written_, random() % (written_->size() + 1));
      return succeeded;
    }
    runs_ = *std::exchange(written_, std::nullopt);
    table.install(runs_);
    if (random() % 2 == 0) table.discard();
    return true;
  }
  // All steps to the end of a snapshot that takes everything.
  bool finish(LayeredTable& table, std::mt19937_64& random) {
    bool succeeded = true;
    while (table.has_frozen())
      succeeded = step(table, random) && succeeded;
    do
      succeeded = step(table, random) && succeeded;
    while (table.has_frozen());
    return succeeded;
  }

 private:
  Runs runs_;
  std::optional<Runs> written_;
};

}  // namespace nd::store::sample
