// Writes streams of changes to a store until it is killed or done. Begins where the store stands, after a
// look at whether that is right.
//
// usage: crash_writer run STORE ACKNOWLEDGED key=value...   durability, stream, threads, operations,
// journal_bytes
//        crash_writer dump STORE                            pages, groups, events, bookmarks
//        crash_writer partition STORE                       the groups, as sets of URLs
// Exit codes: 0 done, 1 something failed, 3 the store is not what it must be.
#include <ndcapi.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "acknowledged.hpp"
#include "page_stream.hpp"
#include "recovery_check.hpp"

namespace crash {
namespace {

constexpr int kFailed = 1;
constexpr int kWrong = 3;

using Settings = std::map<std::string, std::string>;

[[noreturn]] void fail(const std::string& call) {
  throw std::runtime_error(call + ": " + nd_last_error());
}

nd_engine* open_store(const std::string& path, const Settings& settings) {
  nd_options* options = nullptr;
  if (nd_options_new(&options) != ND_OK) fail("nd_options_new");
  for (const auto& [key, value] : settings) {
    if (nd_options_set(options, key.c_str(), value.c_str()) != ND_OK) fail("nd_options_set");
  }
  nd_engine* engine = nullptr;
  const nd_status status = nd_open(path.c_str(), options, &engine);
  nd_options_free(options);
  if (status != ND_OK) fail("nd_open");
  return engine;
}

// Closes on the way out of a failure; a good end says close().
class OpenStore {
 public:
  OpenStore(const std::string& path, const Settings& settings) : engine_(open_store(path, settings)) {}
  ~OpenStore() { nd_close(engine_); }
  OpenStore(const OpenStore&) = delete;
  OpenStore& operator=(const OpenStore&) = delete;

  nd_engine* get() const { return engine_; }
  void close() {
    nd_engine* closing = engine_;
    engine_ = nullptr;
    if (nd_close(closing) != ND_OK) fail("nd_close");
  }

 private:
  nd_engine* engine_;
};

// One stream and the file of its acknowledgements.
class Writer {
 public:
  Writer(uint64_t stream, const std::string& acknowledged_path, Promise promise)
      : stream_(stream), path_(acknowledged_path), acknowledged_(acknowledged_path), promise_(promise) {}

  // Looks at what the store holds and continues from there. False: the store is wrong.
  bool recover(nd_engine* engine) {
    try {
      position_ = recovered_position(engine, stream_, AcknowledgedFile::read(path_), promise_);
      // What was read from the disk is on the disk, whether acknowledged or not.
      tell(Acknowledged::Kind::kSnapshotDone);
      return true;
    } catch (const std::exception& failure) {
      std::fprintf(stderr, "stream %s: %s\n", stream_.bookmark().c_str(), failure.what());
      return false;
    }
  }

  uint64_t position() const { return position_; }
  Promise promise() const { return promise_; }

  // Does the next operation and sets the bookmark.
  Operation step(nd_engine* engine) {
    const Operation operation = stream_.at(position_);
    Acknowledged line;
    line.position = position_;
    apply(engine, operation, line);
    acknowledged_.add(line);
    ++position_;
    const std::string value = std::to_string(position_);
    if (nd_set_bookmark(engine, stream_.bookmark().c_str(), value.data(), value.size()) != ND_OK)
      fail("nd_set_bookmark");
    tell(Acknowledged::Kind::kBookmark);
    return operation;
  }

  void snapshot(nd_engine* engine, bool compact) {
    tell(Acknowledged::Kind::kSnapshotBegun);
    if ((compact ? nd_compact(engine) : nd_snapshot(engine)) != ND_OK) fail("nd_snapshot");
    tell(Acknowledged::Kind::kSnapshotDone);
  }

 private:
  void tell(Acknowledged::Kind kind) {
    Acknowledged line;
    line.kind = kind;
    line.position = position_;
    acknowledged_.add(line);
  }

  void apply(nd_engine* engine, const Operation& operation, Acknowledged& line) {
    const std::string url = stream_.url(operation.url);
    if (operation.kind == Operation::Kind::kRemove) {
      const nd_status status = nd_remove_page(engine, url.data(), url.size());
      if (status != ND_OK && status != ND_ERR_NOT_FOUND) fail("nd_remove_page");
      return;
    }
    if (operation.kind == Operation::Kind::kRemoveSite) {
      const std::string prefix = stream_.site_prefix(operation.url);
      nd_filter filter = ND_FILTER_INIT;
      filter.url_prefix = prefix.data();
      filter.url_prefix_size = prefix.size();
      if (nd_remove_matching(engine, &filter, nullptr) != ND_OK) fail("nd_remove_matching");
      return;
    }
    nd_page page = ND_PAGE_INIT;
    page.url = url.data();
    page.url_size = url.size();
    page.body = operation.body.data();
    page.body_size = operation.body.size();
    page.fetched_at_ms = operation.fetched_at_ms;
    nd_result result = ND_RESULT_INIT;
    if (nd_check_page(engine, &page, &result) != ND_OK) fail("nd_check_page");
    line.page_id = result.page_id;
    line.group_id = result.group_id;
    line.verdict = result.verdict;
  }

  PageStream stream_;
  std::string path_;
  AcknowledgedFile acknowledged_;
  Promise promise_;
  uint64_t position_ = 0;
};

std::string taken(Settings& settings, const std::string& key, const std::string& otherwise) {
  const auto found = settings.find(key);
  if (found == settings.end()) return otherwise;
  std::string value = found->second;
  settings.erase(found);
  return value;
}

// One thread: everything, in an order that never differs.
int run_alone(const std::string& store, const Settings& options, Writer& writer, uint64_t end) {
  for (;;) {
    OpenStore engine(store, options);
    if (!writer.recover(engine.get())) return kWrong;
    bool reopen = false;
    while (writer.position() < end && !reopen) {
      const Operation operation = writer.step(engine.get());
      if (operation.snapshot || operation.compact) writer.snapshot(engine.get(), operation.compact);
      reopen = operation.reopen;
    }
    // Closing would not take one, and the next opening went back to the last one, again and again.
    if (writer.promise() == Promise::kNone) writer.snapshot(engine.get(), false);
    engine.close();
    if (!reopen) return 0;
  }
}

// Many threads, a stream each; the first one takes the snapshots.
int run_together(const std::string& store, const Settings& options,
                 std::vector<std::unique_ptr<Writer>>& writers, uint64_t end) {
  OpenStore engine(store, options);
  for (const auto& writer : writers) {
    if (!writer->recover(engine.get())) return kWrong;
  }
  std::vector<std::exception_ptr> failures(writers.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < writers.size(); ++i) {
    threads.emplace_back([&, i] {
      try {
        while (writers[i]->position() < end) {
          const Operation operation = writers[i]->step(engine.get());
          if (i == 0 && (operation.snapshot || operation.compact || operation.reopen))
            writers[i]->snapshot(engine.get(), operation.compact);
        }
      } catch (...) {
        failures[i] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  engine.close();
  return 0;
}

int run(const std::string& store, const std::string& acknowledged, Settings settings) {
  const uint64_t stream = std::stoull(taken(settings, "stream", "1"));
  const uint64_t threads = std::stoull(taken(settings, "threads", "1"));
  const uint64_t end = std::stoull(taken(settings, "operations", "1000000000"));
  const Promise promise = promise_of(settings["durability"]);
  std::vector<std::unique_ptr<Writer>> writers;
  for (uint64_t i = 0; i < threads; ++i)
    writers.push_back(std::make_unique<Writer>(stream + i, acknowledged + "." + std::to_string(i), promise));
  return threads == 1 ? run_alone(store, settings, *writers.front(), end)
                      : run_together(store, settings, writers, end);
}

struct Listing {
  std::vector<uint64_t> groups;
  std::vector<std::string> urls;
  bool by_url = false;
};

int32_t list_page(const nd_page_info* info, const char* url, size_t size, void* ctx) {
  auto& listing = *static_cast<Listing*>(ctx);
  listing.urls.emplace_back(url, size);
  if (listing.by_url) return 0;
  std::printf("page %" PRIu64 " group %" PRIu64 " verdict %" PRId32 " flags %" PRIu32 " first %" PRId64
              " last %" PRId64 " width %" PRIu64 " hash %" PRIu64 " matched %" PRIu64
              " resemblance %.6f url %.*s\n",
              info->page_id, info->group_id, info->verdict, info->flags, info->first_fetched_at_ms,
              info->last_fetched_at_ms, info->text_width, info->text_hash, info->matched_page_id,
              info->resemblance, static_cast<int>(size), url);
  return 0;
}

int32_t list_event(const nd_event* event, void*) {
  std::printf(
      "event %" PRIu64 " kind %" PRId32 " page %" PRIu64 " from %" PRIu64 " to %" PRIu64 " at %" PRId64 "\n",
      event->sequence, event->kind, event->page_id, event->old_group_id, event->new_group_id, event->at_ms);
  return 0;
}

int dump(const std::string& store, bool partition) {
  OpenStore engine(store, {{"read_only", "true"}});
  Listing listing;
  listing.by_url = partition;
  nd_each_group(
      engine.get(),
      [](const nd_group_info* info, void* ctx) {
        auto& all = *static_cast<Listing*>(ctx);
        all.groups.push_back(info->group_id);
        if (all.by_url) return int32_t{0};
        std::printf("group %" PRIu64 " representative %" PRIu64 " tombstone %" PRIu32 " pages %" PRIu64 "\n",
                    info->group_id, info->representative_page_id, info->tombstone, info->page_count);
        return int32_t{0};
      },
      &listing);
  std::vector<std::string> sets;
  for (const uint64_t group : listing.groups) {
    listing.urls.clear();
    if (nd_each_page(engine.get(), group, list_page, &listing) != ND_OK) fail("nd_each_page");
    std::sort(listing.urls.begin(), listing.urls.end());
    std::string set;
    for (const std::string& url : listing.urls)
      set += " " + url;
    sets.push_back(set);
  }
  std::sort(sets.begin(), sets.end());
  for (const std::string& set : sets) {
    if (partition) std::printf("%s\n", set.c_str());
  }
  if (!partition) nd_each_event(engine.get(), 0, list_event, nullptr);
  return 0;
}

int main_of(const std::vector<std::string>& arguments) {
  if (arguments.size() == 2 && (arguments[0] == "dump" || arguments[0] == "partition"))
    return dump(arguments[1], arguments[0] == "partition");
  if (arguments.size() < 3 || arguments[0] != "run") throw std::runtime_error("usage: see the source");
  Settings settings;
  for (size_t i = 3; i < arguments.size(); ++i) {
    const size_t equals = arguments[i].find('=');
    if (equals == std::string::npos) throw std::runtime_error("no key=value: " + arguments[i]);
    settings[arguments[i].substr(0, equals)] = arguments[i].substr(equals + 1);
  }
  return run(arguments[1], arguments[2], settings);
}

}  // namespace
}  // namespace crash

int main(int argc, char** argv) {
  try {
    return crash::main_of({argv + 1, argv + argc});
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "crash_writer: %s\n", failure.what());
    return crash::kFailed;
  }
}
