// What is known of one site: how many of its pages have each block, and each word of its titles. It is a
// value that pages are learned into, a record of a layered table (store/layered_records.hpp) that is changed
// in memory and read in place in a run, and, as bytes of its own, what callers hand from machine to machine.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/hash_map.hpp"
#include "core/memory.hpp"
#include "core/result.hpp"
#include "page/features.hpp"
#include "page/site_counts.hpp"

namespace nd::engine {

// The hashes under which a page's parts are counted, each once, ascending.
Vector<uint64_t> counted_parts(const Features& page);

// The key of a page's site: of its host, without a leading "www."; of its registrable domain `site` if the
// URL has no host; 0 if it has neither.
uint64_t site_key_of(std::string_view url, std::string_view site) noexcept;

// Pages that are counted and must not be.
struct LeftOut {
  bool itself = false;                                     // the page that is asked about
  std::span<const std::span<const uint64_t>> others = {};  // by their counted_parts()

  uint32_t pages() const noexcept { return static_cast<uint32_t>(others.size()) + (itself ? 1 : 0); }
};

// By what its site counts a page: by nothing, by the text that is compared, or by an earlier one. Memory that
// is used again.
class Contribution {
 public:
  void clear() noexcept;
  // `page` must stay in place until the next call. Cost: O(1).
  void take(const Features& page) noexcept;
  void take_earlier(const Features& earlier);

  bool is_empty() const noexcept { return text_ == nullptr && parts_.empty(); }
  // Then each part of the page is one of them.
  bool is_of(const Features& page) const noexcept { return text_ == &page; }
  // As counted_parts(). Made when it is first called: only pages of one site ask each other.
  std::span<const uint64_t> parts();

  uint64_t memory_bytes() const noexcept {
    return (parts_.capacity() + sorted_.capacity()) * sizeof(uint64_t);
  }

 private:
  const Features* text_ = nullptr;  // null: an earlier one, or nothing
  bool has_parts_ = true;
  Vector<uint64_t> parts_;
  Vector<uint64_t> sorted_;  // for sort_hashes()
};

// The counts of a page's parts as its record tells them, see Features::on_site().
void count_on_site(const Features& page, LeftOut without, CountedPage& out);

// What is known of two pages that are compared, but for what these two have contributed themselves. A page
// that is compared with its own earlier text has contributed once. `out`: cleared for another page, or to
// count this one by what was learned since. `count`: (const Features&, uint64_t site, LeftOut, CountedPage&),
// of one page.
template <typename Count>
PairCounts count_without_each_other(const Features& representative, Contribution& of_representative,
                                    const Features& page, Contribution& of_page, CountedPair& out,
                                    Count&& count);

// All of these are written to files as they are in memory: little-endian numbers, without padding.

struct SiteModelHeader {
  uint64_t table_secret;  // of the table of parts, see HashMap
  uint64_t last_use;
  uint32_t pages;  // that are counted
  uint32_t seen;   // pages that were learned, a changed one again
  uint32_t there;  // pages that were learned and not forgotten: as `pages`, but never halved
  uint32_t reserved;
};
static_assert(sizeof(SiteModelHeader) == 32);
static_assert(std::has_unique_object_representations_v<SiteModelHeader> &&
              std::has_unique_object_representations_v<CountedPart>);

// A site of any layer, for reading. In a run its parts are two arrays after the header: their hashes,
// ascending, and their counts in the same order.
class SiteModelView {
 public:
  SiteModelView(const SiteModelHeader& header, const HashMap<CountedPart>& table) noexcept
      : header_(&header), table_(&table), part_count_(table.size()) {}

  // Nothing if the bytes cannot be a site, because the sizes do not add up or they are not aligned to 8.
  // Trusts no number in them. Cost: O(1).
  static std::optional<SiteModelView> parse(std::span<const uint8_t> bytes) noexcept;

  const SiteModelHeader& header() const noexcept { return *header_; }
  size_t part_count() const noexcept { return part_count_; }
  // Null if absent. Cost: a look-up; in a run a binary search.
  const CountedPart* find(uint64_t hash) const noexcept;
  // Prefetches what find() reads of these; in a run nothing.
  void prefetch(std::span<const uint64_t> hashes) const noexcept;
  // The counts of a page's parts. Cost: a look-up per part and page left out.
  void count(std::span<const FeatureBlock> blocks, std::span<const Symbol> title, LeftOut without,
             CountedPage& out) const;
  // What its record tells of a page, see Features::on_site().
  void tell(const Features& page, Vector<CountedPart>& out) const;

 private:
  friend struct SiteModel;
  friend class SavedSiteModel;
  SiteModelView() noexcept = default;
  std::span<const uint64_t> hashes() const noexcept;  // both: in a run only
  std::span<const CountedPart> counts() const noexcept;

  const SiteModelHeader* header_ = nullptr;
  const HashMap<CountedPart>* table_ = nullptr;  // null in a run
  size_t part_count_ = 0;
};

// What SiteModel::save() wrote, for reading in place.
class SavedSiteModel {
 public:
  // `bytes` must stay in place; they are copied only if they are not aligned to 8. Trusts no number in them.
  // Errors: kCorrupt, kUnsupportedVersion. Cost: a few passes over the bytes.
  static Result<SavedSiteModel> read(std::span<const uint8_t> bytes);
  const SiteModelView& view() const noexcept { return view_; }

 private:
  SavedSiteModel() noexcept = default;

  Vector<uint64_t> copy_;
  SiteModelView view_;
};

// A site that can be changed.
struct SiteModel {
  using View = SiteModelView;
  static constexpr uint32_t kPartsLimit = 16384;

  // What a change took.
  struct Change {
    uint64_t probes = 0;   // parts that were looked at
    uint64_t dropped = 0;  // that were dropped to keep the limit
  };

  explicit SiteModel(uint64_t table_secret) noexcept : parts(table_secret) {
    header.table_secret = table_secret;
  }
  View view() const noexcept { return {header, parts}; }
  static std::optional<View> parse(std::span<const uint8_t> bytes) noexcept { return View::parse(bytes); }
  static SiteModel copy(const View& view);
  // Writes what parse() reads: the same bytes for the same content, whatever the table's history.
  void write(Vector<uint8_t>& out) const;
  uint64_t memory_bytes() const noexcept { return parts.memory_bytes(); }

  // A page of the site, by its counted_parts(). Beyond `parts_limit` the rarest quarter is dropped.
  Change learn(std::span<const uint64_t> page, uint32_t parts_limit);
  // The page was removed, or has other text now. After a halving only a share of
  // the learned pages is still counted, and which ones is not known: so only that share of the removed pages
  // is subtracted, chosen by a hash of their parts.
  Change forget(std::span<const uint64_t> page) noexcept;

  // The model as portable bytes with a checksum (docs/features_format.md). `of`: the parts to write; nothing:
  // all.
  void save(std::optional<std::span<const uint64_t>> of, Vector<uint8_t>& out) const;
  // Adds what save() wrote of another model, as if its pages had been learned after those known here.
  // Trusts no number in it. Errors: kCorrupt, kUnsupportedVersion; the model is then as it was.
  Result<Change> merge(std::span<const uint8_t> saved, uint32_t parts_limit);

  SiteModelHeader header{};
  HashMap<CountedPart> parts;

 private:
  Vector<uint64_t> ascending_hashes() const;
  void write_parts(std::span<const uint64_t> hashes, Vector<uint8_t>& out) const;
  void drop_rarest(Change& change);
  void halve(Change& change);
};

template <typename Count>
PairCounts count_without_each_other(const Features& representative, Contribution& of_representative,
                                    const Features& page, Contribution& of_page, CountedPair& out,
                                    Count&& count) {
  const uint64_t site_a = site_key_of(representative.url(), representative.site());
  const uint64_t site_b = site_key_of(page.url(), page.site());
  const bool has_counterpart = page.url().empty() || page.url() != representative.url();
  const auto count_page = [&](const Features& features, uint64_t site, CountedPage& counted) {
    LeftOut without;
    std::array<std::span<const uint64_t>, 2> others;
    size_t other_count = 0;
    const auto leave_out = [&](Contribution& contribution) {
      if (contribution.is_empty()) return;
      if (contribution.is_of(features)) {
        without.itself = true;
      } else {
        others[other_count++] = contribution.parts();
      }
    };
    if (site == site_a) leave_out(of_representative);
    if (site == site_b && has_counterpart) leave_out(of_page);
    without.others = std::span(others).first(other_count);
    count(features, site, without, counted);
  };
  count_page(representative, site_a, out.representative);
  const bool is_for_others = site_a != site_b && has_counterpart;
  if (!is_for_others || !out.is_page_counted) {
    out.is_page_counted = false;
    count_page(page, site_b, out.page);
    out.is_page_counted = is_for_others;
  }
  return out.counts();
}

// What two records carry of their sites (Features::on_site()), for callers that know no site themselves.
// Memory that is used again for one pair after another. One thread at a time.
class RecordCounts {
 public:
  // The counts of both, but for what the two pages have contributed themselves; empty for a record that
  // carries none. They are valid until the next call. Throws std::bad_alloc.
  PairCounts of(const Features& representative, const Features& page);

 private:
  CountedPair counted_;
  Contribution of_representative_, of_page_;
};

}  // namespace nd::engine
