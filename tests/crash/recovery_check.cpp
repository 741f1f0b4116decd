// Opens the store of a killed process and compares its pages with those that were acknowledged.
#include "recovery_check.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

namespace crash {
namespace {

struct KnownPage {
  uint64_t page_id = 0;
  uint64_t group_id = 0;

  friend bool operator==(const KnownPage&, const KnownPage&) = default;
};

// Indexed by the number of the URL.
using Pages = std::map<uint64_t, KnownPage>;

// What the acknowledged lines say in all. A line may be there twice, when a crash took the bookmark behind
// it.
struct Told {
  std::map<uint64_t, Acknowledged> operations;
  uint64_t done = 0;  // operations
  uint64_t bookmark = 0;
  uint64_t snapshot = 0;        // operations that were done before the last one
  uint64_t snapshot_begun = 0;  // or before one that may have been finished
};

Told told_by(const std::vector<Acknowledged>& lines, Promise promise) {
  Told told;
  for (const Acknowledged& line : lines) {
    switch (line.kind) {
      case Acknowledged::Kind::kOperation: {
        const auto [earlier, added] = told.operations.emplace(line.position, line);
        if (!added &&
            (earlier->second.page_id != line.page_id || earlier->second.group_id != line.group_id)) {
          throw std::runtime_error("operation " + std::to_string(line.position) + " was answered with page " +
                                   std::to_string(earlier->second.page_id) + ", and again with page " +
                                   std::to_string(line.page_id));
        }
        // Changes that may be lost are repeated and counted again.
        told.done =
            promise == Promise::kEverything ? std::max(told.done, line.position + 1) : line.position + 1;
        break;
      }
      case Acknowledged::Kind::kBookmark:
        told.bookmark = line.position;
        break;
      case Acknowledged::Kind::kSnapshotBegun:
        told.snapshot_begun = line.position;
        break;
      case Acknowledged::Kind::kSnapshotDone:
        told.snapshot = told.bookmark = line.position;
        break;
    }
  }
  return told;
}

Pages pages_after(const PageStream& stream, const Told& told, uint64_t count) {
  Pages pages;
  for (const auto& [position, line] : told.operations) {
    if (position >= count) break;
    const Operation operation = stream.at(position);
    switch (operation.kind) {
      case Operation::Kind::kCheck:
        pages[operation.url] = {line.page_id, line.group_id};
        break;
      case Operation::Kind::kRemove:
        pages.erase(operation.url);
        break;
      case Operation::Kind::kRemoveSite:
        std::erase_if(pages, [&](const auto& page) {
          return stream.site_prefix(page.first) == stream.site_prefix(operation.url);
        });
        break;
    }
  }
  return pages;
}

struct Collector {
  const PageStream* stream = nullptr;
  std::vector<uint64_t> groups;
  uint64_t group_id = 0;
  Pages pages;
};

// Listed by groups and by URLs: both must agree.
Pages pages_of(nd_engine* engine, const PageStream& stream) {
  Collector collector;
  collector.stream = &stream;
  nd_each_group(
      engine,
      [](const nd_group_info* info, void* ctx) {
        static_cast<Collector*>(ctx)->groups.push_back(info->group_id);
        return int32_t{0};
      },
      &collector);
  for (const uint64_t group_id : collector.groups) {
    collector.group_id = group_id;
    const nd_status status = nd_each_page(
        engine, group_id,
        [](const nd_page_info* info, const char* url, size_t size, void* ctx) {
          auto& found = *static_cast<Collector*>(ctx);
          const std::string text(url, size);
          if (!text.starts_with(found.stream->prefix())) return int32_t{0};
          const uint64_t number = std::stoull(text.substr(text.rfind('/') + 1));
          if (info->group_id != found.group_id || text != found.stream->url(number))
            found.pages[number] = {0, 0};
          else
            found.pages[number] = {info->page_id, info->group_id};
          return int32_t{0};
        },
        &collector);
    if (status != ND_OK) throw std::runtime_error(std::string("nd_each_page: ") + nd_last_error());
  }
  return std::move(collector.pages);
}

void check_urls(nd_engine* engine, const PageStream& stream, const Pages& pages, uint64_t url_count) {
  for (uint64_t number = 0; number < url_count; ++number) {
    nd_page_info info = ND_PAGE_INFO_INIT;
    const std::string url = stream.url(number);
    const nd_status status = nd_find_page(engine, url.data(), url.size(), &info);
    const auto page = pages.find(number);
    const bool right = page == pages.end()
                           ? status == ND_ERR_NOT_FOUND
                           : status == ND_OK && page->second == KnownPage{info.page_id, info.group_id};
    if (!right) throw std::runtime_error("the groups and nd_find_page do not agree on " + url);
  }
}

uint64_t bookmark_of(nd_engine* engine, const PageStream& stream) {
  nd_buffer data = ND_BUFFER_INIT;
  const nd_status status = nd_get_bookmark(engine, stream.bookmark().c_str(), &data);
  const std::string text(data.data == nullptr ? "" : data.data, data.size);
  nd_buffer_free(&data);
  if (status == ND_ERR_NOT_FOUND) return 0;
  if (status != ND_OK) throw std::runtime_error(std::string("nd_get_bookmark: ") + nd_last_error());
  return std::stoull(text);
}

// How two states differ, for people.
std::string difference(const Pages& expected, const Pages& found) {
  std::string text;
  int shown = 0;
  const auto show = [&](const char* what, const auto& page) {
    if (++shown > 5) return;
    text += std::string("\n  ") + what + " page " + std::to_string(page.second.page_id) + " of group " +
            std::to_string(page.second.group_id) + ", URL " + std::to_string(page.first);
  };
  for (const auto& page : expected) {
    const auto other = found.find(page.first);
    if (other == found.end() || other->second != page.second) show("expected", page);
  }
  for (const auto& page : found) {
    const auto other = expected.find(page.first);
    if (other == expected.end() || other->second != page.second) show("found", page);
  }
  return text;
}

// The pages of a site are removed one by one, the youngest first: whether some of them may be gone, and
// nothing else.
bool is_removing(const PageStream& stream, uint64_t url, Pages before, const Pages& found) {
  uint64_t oldest_gone = UINT64_MAX;
  for (const auto& [number, page] : before) {
    if (!found.contains(number)) oldest_gone = std::min(oldest_gone, page.page_id);
  }
  std::erase_if(before, [&](const auto& page) {
    return stream.site_prefix(page.first) == stream.site_prefix(url) && page.second.page_id >= oldest_gone;
  });
  return before == found;
}

// Whether the state may be the one after `count` operations; the last of them need not have been
// acknowledged.
bool is_state_after(const PageStream& stream, const Told& told, uint64_t count, const Pages& found) {
  if (count == 0) return found.empty();
  if (told.operations.contains(count - 1)) return pages_after(stream, told, count) == found;
  if (count > 1 && !told.operations.contains(count - 2)) return false;
  // The answer of the last one is not known: take what was found of its URL.
  const Operation last = stream.at(count - 1);
  Told guessed = told;
  Acknowledged line;
  line.position = count - 1;
  if (last.kind == Operation::Kind::kCheck) {
    const auto page = found.find(last.url);
    if (page == found.end()) return false;
    line.page_id = page->second.page_id;
    line.group_id = page->second.group_id;
  }
  guessed.operations[count - 1] = line;
  if (last.kind != Operation::Kind::kRemoveSite) return pages_after(stream, guessed, count) == found;
  return is_removing(stream, last.url, pages_after(stream, told, count - 1), found);
}

void check_promise(const Told& told, Promise promise, uint64_t bookmark) {
  const uint64_t least = promise == Promise::kEverything ? told.bookmark : told.snapshot;
  const uint64_t most = promise == Promise::kEverything ? told.bookmark + 1 : told.done + 1;
  const bool in_between = bookmark >= least && bookmark <= most;
  // Nothing but snapshots writes; the one that was begun last may have been finished.
  const bool of_snapshot =
      promise != Promise::kNone || bookmark == told.snapshot || bookmark == told.snapshot_begun;
  if (in_between && of_snapshot) return;
  throw std::runtime_error("the bookmark says " + std::to_string(bookmark) + ", told were " +
                           std::to_string(told.bookmark) + ", with the last snapshot " +
                           std::to_string(told.snapshot) + ", with one begun " +
                           std::to_string(told.snapshot_begun));
}

}  // namespace

Promise promise_of(std::string_view durability) {
  if (durability == "none") return Promise::kNone;
  return durability == "snapshot" ? Promise::kSnapshot : Promise::kEverything;
}

uint64_t recovered_position(nd_engine* engine, const PageStream& stream,
                            const std::vector<Acknowledged>& lines, Promise promise) {
  const Told told = told_by(lines, promise);
  const uint64_t bookmark = bookmark_of(engine, stream);
  const Pages found = pages_of(engine, stream);
  check_urls(engine, stream, found, told.operations.size() + 1);
  check_promise(told, promise, bookmark);
  // A bookmark follows its operation: at most one operation is ahead of it. Of those reported, none may be
  // missing where all is promised, and at most one may be there that was not reported.
  const uint64_t first = promise == Promise::kEverything ? std::max(told.done, bookmark) : bookmark;
  const uint64_t last = promise == Promise::kEverything ? told.done + 1 : bookmark + 1;
  for (uint64_t count = first; count <= last; ++count) {
    if (is_state_after(stream, told, count, found)) return bookmark;
  }
  const Operation next = stream.at(first);
  throw std::runtime_error("the store is neither what it was after " + std::to_string(first) +
                           " operations nor after the next (kind " +
                           std::to_string(static_cast<int>(next.kind)) + ", URL " + std::to_string(next.url) +
                           "); " + std::to_string(told.done) + " were acknowledged, the bookmark says " +
                           std::to_string(bookmark) + difference(pages_after(stream, told, first), found));
}

}  // namespace crash
