// A client of Store for tests, as the engine is one: a list of texts, and a map that follows from it, in two
// tables with layers in memory above the runs.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/store.hpp"

namespace nd::store {

class ToyClient {
 public:
  static constexpr uint32_t kLog = 3;     // from the position to the text
  static constexpr uint32_t kLatest = 1;  // from a key that follows from the text to the text
  static constexpr TableKind kTables[] = {{kLog, "log", 4}, {kLatest, "latest", 3, true}};
  static constexpr uint64_t kSecret = 0xABCDEF0123456789;
  using Latest = std::map<uint64_t, std::string>;

  static Result<Identity> make() { return Identity{kSecret, 5, {"a=1", "b=2"}}; }

  static Result<ToyClient> open(const std::string& path, FileSystem& files, StoreParameters parameters = {}) {
    Result<Owned<Store>> store = Store::open(path, parameters, kTables, make, files);
    if (!store) return std::move(store).failure();
    ToyClient client(*std::move(store));
    if (Result<void> replayed = client.replay(); !replayed) return std::move(replayed).failure();
    return client;
  }

  Store& store() { return *store_; }

  // Acknowledged if ok. Not in force if not, though it may come into force when the store is reopened.
  Result<void> add(const std::string& text) {
    if (Result<void> appended = append(text); !appended) return appended;
    return store_->sync();
  }
  Result<void> append(const std::string& text) {
    if (Result<void> appended = store_->append(bytes_of(record_of(size_, text))); !appended) return appended;
    apply(text);
    store_->confirm();
    return {};
  }

  Result<void> snapshot(bool merge_all = false) {
    if (!frozen_) {
      if (Result<void> begun = store_->begin_snapshot(bytes_of(number(size_))); !begun) return begun;
      frozen_ = std::move(memory_);
      memory_ = {};
    }
    const auto write = [this](uint32_t table, RunSink& sink) { return write_frozen(table, sink); };
    if (Result<void> written = store_->write_snapshot(write, merge_all); !written) return written;
    store_->end_snapshot();
    store_->drop_older();
    frozen_.reset();
    return {};
  }

  // The records taken, in order; all layers together.
  std::vector<std::string> log() const {
    std::vector<std::string> texts;
    for (const auto& [position, text] : table(kLog)) {
      if (position != texts.size()) return {"the positions have a gap"};
      texts.push_back(text);
    }
    return texts.size() == size_ ? texts : std::vector<std::string>{"the state has another count"};
  }
  Latest latest() const { return table(kLatest); }

  // The expected latest().
  static Latest latest_of(const std::vector<std::string>& texts) {
    Latest latest;
    for (const std::string& text : texts) {
      if (is_erasure(text)) {
        latest.erase(key_of(text));
      } else {
        latest[key_of(text)] = text;
      }
    }
    return latest;
  }

  // The text of a record in the journal; its position is checked.
  static std::string record_of(uint64_t position, std::string_view text) {
    return number(position) + std::string(text);
  }
  static Bytes bytes_of(const std::string& text) {
    return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
  }
  static std::string text_of(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

 private:
  using Layer = std::map<uint32_t, std::map<uint64_t, std::optional<std::string>>>;

  explicit ToyClient(Owned<Store> store) : store_(std::move(store)) {}

  static std::string number(uint64_t value) { return {reinterpret_cast<const char*>(&value), sizeof value}; }
  static bool is_erasure(const std::string& text) { return text.size() % 3 == 0; }
  static uint64_t key_of(const std::string& text) {
    return uint64_t{0x1000000000000001} * (text.empty() ? 0 : static_cast<uint8_t>(text.back()) % 16);
  }

  Result<void> replay() {
    const std::string state = text_of(store_->state());
    if (!state.empty()) std::memcpy(&size_, state.data(), sizeof size_);
    return store_->replay([this](Bytes record) -> Result<void> {
      const std::string text = text_of(record);
      if (text.size() < 8 || text.substr(0, 8) != number(size_))
        return error(Status::kCorrupt, "a record out of order");
      apply(text.substr(8));
      return {};
    });
  }

  void apply(const std::string& text) {
    memory_[kLog][size_++] = text;
    memory_[kLatest][key_of(text)] = is_erasure(text) ? std::nullopt : std::optional(text);
  }

  Result<void> write_frozen(uint32_t table, RunSink& sink) const {
    const auto found = frozen_->find(table);
    if (found == frozen_->end()) return {};
    for (const auto& [key, text] : found->second) {
      Result<void> added = text ? sink.add(key, bytes_of(*text)) : sink.add_erased(key);
      if (!added) return added;
    }
    return {};
  }

  Latest table(uint32_t number) const {
    Latest all;
    const auto put = [&all](uint64_t key, bool erased, const std::string& text) {
      all.erase(key);
      if (!erased) all[key] = text;
    };
    for (const std::shared_ptr<const Run>& run : store_->runs(number)) {
      for (uint64_t i = 0; i < run->entry_count(); ++i) {
        if (const std::optional<RunEntry> entry = run->at(i))
          put(entry->key, entry->erased, text_of(entry->value));
      }
    }
    for (const Layer* layer : {frozen_ ? &*frozen_ : nullptr, &memory_}) {
      if (layer == nullptr || !layer->contains(number)) continue;
      for (const auto& [key, text] : layer->at(number))
        put(key, !text, text.value_or(""));
    }
    return all;
  }

  Owned<Store> store_;
  uint64_t size_ = 0;
  Layer memory_;
  std::optional<Layer> frozen_;
};

}  // namespace nd::store
