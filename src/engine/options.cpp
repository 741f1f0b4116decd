#include "engine/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <variant>

#include "engine/feature_spots.hpp"

namespace nd::engine {
namespace {

// Where a value lives: a function that finds it in the parameters.
template <typename T>
using Place = T& (*)(Parameters&);
using AnyPlace = std::variant<Place<uint32_t>, Place<uint64_t>, Place<double>, Place<bool>>;

struct Option {
  OptionInfo info;
  AnyPlace place;
  double least;
  double most;
};

#define ND_PLACE(type, path) Place<type>([](Parameters& parameters) -> type& { return parameters.path; })

constexpr double kMillion = 1e6;

const std::array kOptions = {
    Option{{"page_bytes_limit", "integer", "16777216", "1024..1073741824",
            "Bytes of a body that are read; the rest is cut and flagged.", false},
           ND_PLACE(uint64_t, page.page_bytes),
           1024,
           1073741824},
    Option{{"depth_limit", "integer", "256", "16..1024",
            "Nesting depth of elements; deeper ones are flattened and flagged.", true},
           ND_PLACE(uint32_t, page.html.depth),
           16,
           1024},
    Option{{"text_bytes_limit", "integer", "4194304", "1024..268435456",
            "Bytes of visible text that are extracted.", true},
           ND_PLACE(uint32_t, page.html.text_bytes),
           1024,
           268435456},
    Option{{"blocks_limit", "integer", "65536", "16..1048576", "Text blocks that are extracted.", true},
           ND_PLACE(uint32_t, page.html.blocks),
           16,
           1048576},
    Option{{"tokens_limit", "integer", "65536", "64..4194304", "Tokens of a page that are kept and compared.",
            true},
           ND_PLACE(uint32_t, page.tokens),
           64,
           4194304},
    Option{
        {"sentence_width", "integer", "10", "0..1000",
         "X: sentences wider than this are fingerprinted (TR2007012 4.2); a wide character counts 2.", true},
        ND_PLACE(uint32_t, fingerprints.sentence_width),
        0,
        1000},
    Option{{"fingerprint_sentences", "integer", "4", "1..16",
            "Y: sentences that make one fingerprint (TR2007012 4.2).", true},
           ND_PLACE(uint32_t, fingerprints.sentences),
           1,
           16},
    Option{{"fingerprint_cover_width", "integer", "100", "0..10000",
            "Z: those sentences are wider than this together (TR2007012 4.2).", true},
           ND_PLACE(uint32_t, fingerprints.cover_width),
           0,
           10000},
    Option{{"fingerprint_buckets", "integer", "7", "1..64",
            "m: buckets of sentence digests; at most 16 m fingerprints a page (TR2007012 4.2).", true},
           ND_PLACE(uint32_t, fingerprints.buckets),
           1,
           64},
    Option{{"relaxed", "boolean", "true", "true|false",
            "Adds shingle keys, which find what the fingerprints alone miss.", true},
           ND_PLACE(bool, relaxed.enabled),
           0,
           1},
    Option{{"relaxed_keys", "integer", "16", "1..256", "Smallest shingle hashes of a page that become keys.",
            true},
           ND_PLACE(uint32_t, relaxed.keys),
           1,
           256},
    Option{{"shingle_tokens", "integer", "6", "1..32", "Consecutive tokens of a shingle.", true},
           ND_PLACE(uint32_t, relaxed.shingle_tokens),
           1,
           32},
    Option{{"wide_shingle_tokens", "integer", "10", "1..64",
            "The same where a shingle starts with a wide (CJK) character.", true},
           ND_PLACE(uint32_t, relaxed.wide_shingle_tokens),
           1,
           64},
    Option{
        {"spotsigs", "boolean", "true", "true|false",
         "Finds groups by spot signatures (SpotSigs, SIGIR 2008) too, beside the keys; off, there are none.",
         true},
        ND_PLACE(bool, spots.enabled),
        0,
        1},
    Option{{"spot_distance", "integer", "1", "1..16",
            "d: words from an antecedent to its chain, and from link to link (SpotSigs).", true},
           ND_PLACE(uint32_t, spots.distance),
           1,
           kSpotDistanceLimit},
    Option{{"spot_chain", "integer", "2", "1..16", "c: content words of a spot signature (SpotSigs).", true},
           ND_PLACE(uint32_t, spots.chain),
           1,
           kSpotChainLimit},
    Option{{"spot_signatures", "integer", "1024", "1..65535",
            "Distinct spot signatures of a page that are kept: the smallest hashes.", true},
           ND_PLACE(uint32_t, spots.signatures),
           1,
           kSpotSignaturesLimit},
    Option{{"spot_threshold", "integer", "100", "1..1000",
            "Similarity of spot signatures, in thousandths, from which on a group is a candidate.", true},
           ND_PLACE(uint32_t, spot_source.threshold),
           1,
           1000},
    Option{{"spot_candidates_limit", "integer", "8", "1..1000",
            "Groups found for a page by its spot signatures: the most similar.", true},
           ND_PLACE(uint32_t, spot_source.candidates),
           1,
           1000},
    Option{{"spot_postings_limit", "integer", "1024", "1..1000000",
            "Groups looked at for a page while its spot signatures are looked up, the rarest first.", true},
           ND_PLACE(uint32_t, spot_source.postings),
           1,
           1000000},
    Option{{"spot_bytes", "integer", "268435456", "0..1099511627776",
            "Memory of the index of spot signatures; beyond it the oldest groups are found by their keys "
            "only. 0: no bound.",
            false},
           ND_PLACE(uint64_t, spot_source.bytes),
           0,
           1099511627776},
    Option{{"keys_bytes", "integer", "0", "0..1099511627776",
            "What the index of candidate keys may hold; beyond it groups take no new keys, and are found by "
            "their spot signatures, old keys and equal text. Its tables, which double and do not shrink, may "
            "take up to 3 times as much. 0: no bound.",
            false},
           ND_PLACE(uint64_t, index.bytes),
           0,
           1099511627776},
    Option{{"window_width", "integer", "16", "1..256", "S: window of the filtered sketch (TR2007012 5.2).",
            true},
           ND_PLACE(uint32_t, comparison.window_width),
           1,
           256},
    Option{{"trustable", "boolean", "false", "true|false",
            "Counts only what lies in trustable regions (TR2007012 4.4).", true},
           ND_PLACE(bool, comparison.trustable),
           0,
           1},
    Option{{"slope", "number", "0.10", "0..1",
            "Theta: edits per unit of text in a trustable region (TR2007012 5.3).", true},
           ND_PLACE(double, comparison.trust.slope),
           0,
           1},
    Option{{"trustable_block_width", "integer", "64", "8..4096",
            "s: width of a block of the trustable region's grid (TR2007012 4.4).", true},
           ND_PLACE(uint32_t, comparison.trust.block_width),
           8,
           4096},
    Option{{"rounds", "integer", "8", "1..64",
            "Passes of a comparison over what is left, for reordered paragraphs (TR2007012 4.4).", true},
           ND_PLACE(uint32_t, comparison.rounds),
           1,
           64},
    Option{{"gain_width", "integer", "64", "1..100000",
            "A pass that matches less width than this is the last.", true},
           ND_PLACE(uint32_t, comparison.gain_width),
           1,
           100000},
    Option{{"edit_budget", "integer", "1000", "0..10000",
            "Edits up to which Myers' algorithm is used; beyond it the bit-parallel one.", true},
           ND_PLACE(uint32_t, comparison.edit_budget),
           0,
           10000},
    Option{{"verification_work_limit", "integer", "64000000", "1000..1000000000000",
            "Inner steps of one comparison; beyond them it stops with what it has.", true},
           ND_PLACE(uint64_t, comparison.work_limit),
           1000,
           kMillion* kMillion},
    Option{{"resemblance", "number", "0.28", "0..1",
            "Two pages this resemblant are near-duplicates (TR2007012 5.4).", true},
           ND_PLACE(double, decision.resemblance),
           0,
           1},
    Option{{"resemblance_width", "integer", "100", "0..100000", "and have at least so much width in common.",
            true},
           ND_PLACE(uint32_t, decision.resemblance_width),
           0,
           100000},
    Option{{"small_match_width", "integer", "300", "0..1000000",
            "A match narrower than this asks for small_match_resemblance.", true},
           ND_PLACE(uint32_t, decision.small_match_width),
           0,
           1000000},
    Option{
        {"small_match_resemblance", "number", "0.50", "0..1", "Resemblance asked of narrow matches.", true},
        ND_PLACE(double, decision.small_match_resemblance),
        0,
        1},
    Option{{"containment", "number", "0.70", "0..1",
            "So is a page of which this share lies in the other (TR2007012 5.4).", true},
           ND_PLACE(double, decision.containment),
           0,
           1},
    Option{{"containment_ratio", "number", "0.20", "0..1",
            "if the smaller is at least this part of the larger", true},
           ND_PLACE(double, decision.containment_ratio),
           0,
           1},
    Option{{"containment_width", "integer", "400", "0..100000", "and at least so wide.", true},
           ND_PLACE(uint32_t, decision.containment_width),
           0,
           100000},
    Option{{"same_site_resemblance", "number", "0.80", "0..1",
            "Resemblance asked of two pages of one site, which share their frame.", true},
           ND_PLACE(double, decision.same_site_resemblance),
           0,
           1},
    Option{{"undecided_resemblance", "number", "0.60", "0..1",
            "Pages of one young site that resemble each other so much, and are kept apart, do not teach "
            "frame to each other.",
            true},
           ND_PLACE(double, decision.undecided_resemblance),
           0,
           1},
    Option{{"content_width", "integer", "140", "0..100000",
            "Pages with less main content are short: only near-exact equality counts.", true},
           ND_PLACE(uint32_t, decision.content_width),
           0,
           100000},
    Option{{"short_resemblance", "number", "0.65", "0..1",
            "Resemblance of all text that is no frame, asked of short pages of two sites.", true},
           ND_PLACE(double, decision.short_resemblance),
           0,
           1},
    Option{{"short_same_site_resemblance", "number", "0.95", "0..1", "The same for short pages of one site.",
            true},
           ND_PLACE(double, decision.short_same_site_resemblance),
           0,
           1},
    Option{{"tiny_resemblance", "number", "0.98", "0..1",
            "Resemblance of all text that is not everywhere on its site, asked of short pages without text "
            "of their own.",
            true},
           ND_PLACE(double, decision.tiny_resemblance),
           0,
           1},
    Option{{"tiny_width", "integer", "16", "0..1000000", "Width of such text that must match.", true},
           ND_PLACE(uint32_t, decision.tiny_width),
           0,
           1000000},
    Option{{"exact_width", "integer", "40", "1..100000", "Least visible text for the verdict exact.", true},
           ND_PLACE(uint32_t, decision.exact_width),
           1,
           100000},
    Option{{"full_coverage", "number", "0.80", "0..1",
            "Covered less than this by its counterpart, a page contains (or the representative) much more: a "
            "flag.",
            true},
           ND_PLACE(double, decision.full_coverage),
           0,
           1},
    Option{{"hot_groups_limit", "integer", "10000", "2..1000000",
            "A key in more groups than this is deleted (TR2007012 4.2).", true},
           ND_PLACE(uint32_t, index.hot_groups),
           2,
           1000000},
    Option{{"hot_site_groups_limit", "integer", "400", "2..1000000",
            "A key in more groups than this, of few sites, is deleted too (TR2007012 4.2).", true},
           ND_PLACE(uint32_t, index.hot_site_groups),
           2,
           1000000},
    Option{{"hot_sites", "integer", "8", "1..1000", "How many sites are few.", true},
           ND_PLACE(uint32_t, index.hot_sites),
           1,
           1000},
    Option{{"site_templates", "boolean", "true", "true|false",
            "Learns which blocks are a site's frame, and weighs them nothing.", true},
           ND_PLACE(bool, templates.enabled),
           0,
           1},
    Option{{"site_young_pages", "integer", "8", "0..1000000",
            "Until so many of its pages were seen, a site's frame counts as unknown.", true},
           ND_PLACE(uint32_t, templates.young_pages),
           0,
           1000000},
    Option{{"site_blocks_limit", "integer", "8192", "64..1048576", "Blocks remembered of a site.", true},
           ND_PLACE(uint32_t, templates.blocks_per_site),
           64,
           1048576},
    Option{{"site_templates_bytes", "integer", "268435456", "65536..1000000000000",
            "Memory of all site templates; the sites not seen for longest are forgotten.", false},
           ND_PLACE(uint64_t, templates.bytes),
           65536,
           1e12},
    Option{{"candidates_limit", "integer", "16", "1..1000", "Groups that are ranked for a page.", true},
           ND_PLACE(uint32_t, index.candidates),
           1,
           1000},
    Option{{"verifications_limit", "integer", "8", "1..1000", "Groups that a page is compared with.", true},
           ND_PLACE(uint32_t, index.verifications),
           1,
           1000},
    Option{{"postings_limit", "integer", "1024", "16..8192", "Groups looked at while ranking.", true},
           ND_PLACE(uint32_t, index.postings),
           16,
           8192},
    Option{{"memory_budget_bytes", "integer", "0", "0..1000000000000000",
            "Beyond it new pages are answered but not kept as candidates, and flagged; 0: no budget.", false},
           ND_PLACE(uint64_t, memory_budget_bytes),
           0,
           1e15},
    Option{{"events_limit", "integer", "100000", "0..100000000", "Events that are kept for nd_each_event.",
            false},
           ND_PLACE(uint32_t, events),
           0,
           1e8},
    Option{{"keep_text", "boolean", "false", "true|false",
            "Keeps the normalised text with the features, so that nd_explain can quote it.", false},
           ND_PLACE(bool, keep_text),
           0,
           1},
};

#undef ND_PLACE

const std::array kInfos = [] {
  std::array<OptionInfo, kOptions.size()> infos{};
  for (size_t i = 0; i < kOptions.size(); ++i)
    infos[i] = kOptions[i].info;
  return infos;
}();

const Option* find_option(std::string_view key) noexcept {
  const auto found = std::find_if(kOptions.begin(), kOptions.end(),
                                  [key](const Option& option) { return key == option.info.key; });
  return found == kOptions.end() ? nullptr : &*found;
}

// Levenshtein distance, for "did you mean"; keys are short.
size_t edit_distance(std::string_view a, std::string_view b) {
  Vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

Error unknown_key(std::string_view key) {
  key = key.substr(0, 64);
  const auto nearest =
      std::min_element(kOptions.begin(), kOptions.end(), [key](const Option& a, const Option& b) {
        return edit_distance(key, a.info.key) < edit_distance(key, b.info.key);
      });
  return error(Status::kInvalidArgument, "no option is called \"", key, "\"; the nearest is \"",
               nearest->info.key, "\"");
}

Error bad_value(const Option& option, std::string_view value) {
  return error(Status::kInvalidArgument, "option ", option.info.key, ": \"", value.substr(0, 64),
               "\" is not a ", option.info.type, " in ", option.info.range);
}

template <typename T>
bool parse_number(std::string_view text, T& out) noexcept {
  const std::from_chars_result end = std::from_chars(text.data(), text.data() + text.size(), out);
  return end.ec == std::errc{} && end.ptr == text.data() + text.size() && !text.empty();
}

}  // namespace

std::span<const OptionInfo> option_infos() noexcept {
  return kInfos;
}

Result<void> Options::set(std::string_view key, std::string_view value) {
  const Option* option = find_option(key);
  if (option == nullptr) return unknown_key(key);
  const auto set_number = [&](auto& place) -> Result<void> {
    std::remove_reference_t<decltype(place)> number{};
    if (!parse_number(value, number)) return bad_value(*option, value);
    if (!(static_cast<double>(number) >= option->least && static_cast<double>(number) <= option->most))
      return bad_value(*option, value);
    place = number;
    return {};
  };
  return std::visit(
      [&](auto place) -> Result<void> {
        auto& target = place(parameters_);
        if constexpr (std::is_same_v<decltype(target), bool&>) {
          const bool is_true = value == "true" || value == "on";
          if (!is_true && value != "false" && value != "off") return bad_value(*option, value);
          target = is_true;
          return {};
        } else {
          return set_number(target);
        }
      },
      option->place);
}

Result<String> Options::get(std::string_view key) const {
  const Option* option = find_option(key);
  if (option == nullptr) return unknown_key(key);
  return std::visit(
      [&](auto place) -> Result<String> {
        Parameters parameters = parameters_;  // places are of mutable parameters; a copy keeps this const
        auto& value = place(parameters);
        if constexpr (std::is_same_v<decltype(value), bool&>) {
          return String(value ? "true" : "false");
        } else {
          char text[40];
          const std::to_chars_result end = std::to_chars(text, text + sizeof text, value);
          return String(text, static_cast<size_t>(end.ptr - text));
        }
      },
      option->place);
}

}  // namespace nd::engine
