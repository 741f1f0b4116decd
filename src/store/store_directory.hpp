// The implementation of Store in a directory: its lock, its newest generation, and the journal of the changes
// since then.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "store/generation.hpp"
#include "store/journal.hpp"
#include "store/snapshot_writer.hpp"
#include "store/store.hpp"

namespace nd::store {

class StoreDirectory final : public Store {
 public:
  StoreDirectory(std::string_view path, const StoreParameters& parameters, std::span<const TableKind> tables,
                 FileSystem& files);

  // One of these is called, once, before anything else.
  Result<void> open_writer(const std::function<Result<Identity>()>& make);
  Result<void> open_reader();

  const Identity& identity() const noexcept override { return current_->manifest.identity; }
  uint64_t generation() const noexcept override { return current_->manifest.generation; }
  Bytes state() const noexcept override { return current_->manifest.state; }
  const Runs& runs(uint32_t table) const noexcept override;
  Content content() const noexcept override { return content_of(*current_); }
  std::string_view fallback() const noexcept override { return fallback_; }
  std::string_view journal_loss() const noexcept override { return journal_loss_; }
  Result<void> damage() const override { return damage_->first(); }

  Result<void> replay(const std::function<Result<void>(Bytes record)>& apply) override;
  Result<void> append(Bytes record) override;
  void confirm() noexcept override { journal_.confirm(); }
  Result<void> cancel() override;
  Result<void> sync() override;
  uint64_t journal_bytes() const noexcept override { return journal_.bytes(); }
  StoreCounts counts() const noexcept override;

  Result<void> check_files() override;
  Result<void> prepare_snapshot() override;
  Result<void> begin_snapshot(Bytes state) override;
  Result<void> write_snapshot(const WriteTable& write, bool merge_all) override;
  void end_snapshot() noexcept override;
  void drop_older() noexcept override;
  void forget_below(uint32_t table, uint64_t key) noexcept override;

  Result<bool> refresh() override;
  Content next_content() const noexcept override { return content_of(*next_); }
  Result<void> check_refresh() const override;
  void end_refresh() noexcept override;
  uint64_t disk_bytes() const noexcept override { return current_->disk_bytes; }

 private:
  GenerationReader reader(const std::shared_ptr<DamageReport>& damage) const noexcept {
    return {files_, path_, tables_, parameters_, damage};
  }
  static Content content_of(const Generation& generation) noexcept {
    return {generation.manifest.state, generation.runs};
  }
  Result<void> find_directory();
  Result<void> take_lock();
  Result<void> create(const StoreListing& listing, const std::function<Result<Identity>()>& make);
  Result<void> open_existing(const StoreListing& listing);
  Result<void> read_journal_headers(const StoreListing& listing);
  Result<void> check_skipped(const ChosenGeneration& chosen) const;
  Result<ChosenGeneration> choose_for_reading(const GenerationReader& reader, uint64_t newer_than, bool any);
  String fallback_of(const Generation& generation, const std::optional<Error>& fault) const;
  void use(ChosenGeneration chosen);
  Result<uint64_t> replay_one(size_t position, const std::function<Result<void>(Bytes record)>& apply);
  Result<void> count_failure(Result<void> outcome) noexcept;
  Result<void> take_tail(std::string_view name, const JournalEnd& end);
  void drop_unneeded(const StoreListing& listing, const Manifest& newest, const Manifest* older) noexcept;
  void keep_two(const StoreListing& listing);

  String path_;
  StoreParameters parameters_;
  Vector<TableKind> tables_;
  FileSystem& files_;
  std::shared_ptr<DamageReport> damage_;  // of what is in use
  Owned<File> lock_;                      // held while the store is open
  Owned<File> directory_lock_;            // of the directory itself
  Owned<Generation> current_;
  String fallback_;
  // What refresh() has opened, until end_refresh().
  Owned<Generation> next_;
  String next_fallback_;
  std::shared_ptr<DamageReport> next_damage_;
  String journal_loss_;

  Vector<JournalHeader> chain_;  // of the journals from the generation's on
  Journal journal_;
  std::atomic<uint64_t> journal_records_{0}, appended_records_{0}, journal_failures_{0}, run_merges_{0};
  std::array<uint64_t, kTablesLimit + 1> least_keys_{};

  SnapshotContent content_;  // from begin_snapshot() to end_snapshot()
  bool begun_ = false;
  Owned<Generation> pending_;  // written, but not yet in force
  Owned<Generation> older_;    // no longer in force, but not yet dropped
};

}  // namespace nd::store
