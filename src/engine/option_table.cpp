#include "engine/option_table.hpp"

#include <algorithm>
#include <array>

#include "engine/decision_options.hpp"
#include "engine/detector_options.hpp"
#include "engine/feature_layout.hpp"

namespace nd::engine {
namespace {

// Features have no room for greater values: they limit the ranges of spot_distance, spot_chain,
// spot_signatures and baseline_shingle_tokens.
static_assert(kSpotDistanceLimit == 16 && kSpotChainLimit == 16 && kSpotSignaturesLimit == 65535 &&
              kDescriptionShingleLimit == 32);

// Options for the steps from a page's bytes to its keys and spot signatures.
constexpr std::array kFeatureOptions = {
    Option{{"page_bytes_limit", "integer", "16777216", "1024..1073741824",
            "Bytes of a body that are read; the rest is cut and flagged.", false},
           ND_PLACE(uint64_t, page.page_bytes)},
    Option{{"html_reader", "choice", "fast", "fast|libxml2",
            "What reads HTML: ndc's own reader, which leaves pages of unusual markup to libxml2, or libxml2 "
            "alone. The text is the same.",
            false},
           ND_PLACE(uint32_t, page.html_reader)},
    Option{{"depth_limit", "integer", "256", "16..1024",
            "Nesting depth of elements; deeper ones are flattened and flagged.", true},
           ND_PLACE(uint32_t, page.html.depth)},
    Option{{"text_bytes_limit", "integer", "4194304", "1024..268435456",
            "Bytes of visible text that are extracted.", true},
           ND_PLACE(uint32_t, page.html.text_bytes)},
    Option{{"blocks_limit", "integer", "65536", "16..1048576", "Text blocks that are extracted.", true},
           ND_PLACE(uint32_t, page.html.blocks)},
    Option{{"tokens_limit", "integer", "65536", "64..4194304", "Tokens of a page that are kept and compared.",
            true},
           ND_PLACE(uint32_t, page.tokens)},
    Option{{"block_weights", "choice", "learned", "learned|rules|none",
            "What tells main content from boilerplate: a model of HTML, rules alone, or nothing: all text "
            "counts.",
            true},
           ND_PLACE(uint32_t, page.block_weights)},
    Option{
        {"sentence_width", "integer", "10", "0..1000",
         "X: sentences wider than this are fingerprinted (TR2007012 4.2); a wide character counts 2.", true},
        ND_PLACE(uint32_t, fingerprints.sentence_width)},
    Option{{"fingerprint_sentences", "integer", "4", "1..16",
            "Y: sentences that make one fingerprint (TR2007012 4.2).", true},
           ND_PLACE(uint32_t, fingerprints.sentences)},
    Option{{"fingerprint_cover_width", "integer", "100", "0..10000",
            "Z: those sentences are wider than this together (TR2007012 4.2).", true},
           ND_PLACE(uint32_t, fingerprints.cover_width)},
    Option{{"fingerprint_buckets", "integer", "0", "0..64",
            "m: buckets of sentence digests; at most 16 m fingerprints a page (TR2007012 4.2). 0: 1 in an "
            "engine, 7 in features for elsewhere.",
            true},
           ND_PLACE(uint32_t, fingerprints.buckets)},
    Option{{"relaxed", "boolean", "true", "true|false",
            "Adds shingle keys, which find what the fingerprints alone miss.", true},
           ND_PLACE(bool, relaxed.enabled)},
    Option{{"relaxed_keys", "integer", "16", "1..256", "Smallest shingle hashes of a page that become keys.",
            true},
           ND_PLACE(uint32_t, relaxed.keys)},
    Option{{"shingle_tokens", "integer", "6", "1..32", "Consecutive tokens of a shingle.", true},
           ND_PLACE(uint32_t, relaxed.shingle_tokens)},
    Option{{"wide_shingle_tokens", "integer", "10", "1..64",
            "The same where a shingle starts with a wide (CJK) character.", true},
           ND_PLACE(uint32_t, relaxed.wide_shingle_tokens)},
    Option{
        {"spotsigs", "boolean", "true", "true|false",
         "Finds groups by spot signatures (SpotSigs, SIGIR 2008) too, beside the keys; off, there are none.",
         true},
        ND_PLACE(bool, spots.enabled)},
    Option{{"spot_distance", "integer", "1", "1..16",
            "d: words from an antecedent to its chain, and from link to link (SpotSigs).", true},
           ND_PLACE(uint32_t, spots.distance)},
    Option{{"spot_chain", "integer", "2", "1..16", "c: content words of a spot signature (SpotSigs).", true},
           ND_PLACE(uint32_t, spots.chain)},
    Option{{"spot_signatures", "integer", "0", "0..65535",
            "Distinct spot signatures of a page that are kept: the smallest hashes. 0: 16 with detector lcs, "
            "1024 with the others.",
            true},
           ND_PLACE(uint32_t, spots.signatures)},
    Option{{"antecedents", "words", "default", "default|1..256 words",
            "Words at which spot signatures begin, between spaces or commas; default: those of eleven "
            "languages (SpotSigs, Case (I)).",
            true},
           ND_PLACE(String, antecedents)},
    Option{{"spot_idf_low", "integer", "200", "0..1000",
            "Least IDF of a spot signature that counts, log(N / df) / log N in thousandths, from the first "
            "epoch on (SpotSigs, Summary - Gold Set).",
            true},
           ND_PLACE(uint32_t, spot_source.band.low)},
    Option{{"spot_idf_high", "integer", "1000", "0..1000", "And its greatest (docs/spotsigs.md).", true},
           ND_PLACE(uint32_t, spot_source.band.high)},
    Option{{"spot_threshold", "integer", "100", "1..1000",
            "Similarity of spot signatures, in thousandths, from which on a group is a candidate.", true},
           ND_PLACE(uint32_t, spot_source.threshold)},
    Option{{"spot_candidates_limit", "integer", "8", "1..1000",
            "Groups found for a page by its spot signatures: the most similar.", true},
           ND_PLACE(uint32_t, spot_source.candidates)},
    Option{{"spot_members_limit", "integer", "4", "0..1000",
            "Pages with which a group grows that are found by their own spot signatures too, so far as the "
            "representative lacks them.",
            true},
           ND_PLACE(uint32_t, spot_source.members)},
    Option{
        {"spot_postings_limit", "integer", "1024", "1..1000000",
         "Postings (a group at one of its signatures) looked at for a page, of the rarest signatures first.",
         true},
        ND_PLACE(uint32_t, spot_source.postings)},
    Option{{"spot_bytes", "integer", "268435456", "0..1099511627776",
            "What the index of spot signatures may hold; beyond it the oldest groups are found by their keys "
            "only. Its tables may take up to 4 times as much in memory. 0: no bound.",
            false},
           ND_PLACE(uint64_t, spot_source.bytes)},
    Option{{"keys_bytes", "integer", "0", "0..1099511627776",
            "What the index of candidate keys may hold; beyond it groups take no new keys, and are found by "
            "their spot signatures, old keys and equal text. Its tables, which double and do not shrink, may "
            "take up to 4 times as much in memory. 0: no bound.",
            false},
           ND_PLACE(uint64_t, index.bytes)},
};

// Options for what is searched, learned and kept.
constexpr std::array kCollectionOptions = {
    Option{{"hot_groups_limit", "integer", "10000", "2..1000000",
            "A key in more groups than this is deleted (TR2007012 4.2).", true},
           ND_PLACE(uint32_t, index.hot_groups)},
    Option{{"hot_site_groups_limit", "integer", "400", "2..1000000",
            "A key in more groups than this, of few sites, is deleted too (TR2007012 4.2).", true},
           ND_PLACE(uint32_t, index.hot_site_groups)},
    Option{{"hot_sites", "integer", "8", "1..1000", "How many sites are few.", true},
           ND_PLACE(uint32_t, index.hot_sites)},
    Option{{"site_bytes", "integer", "268435456", "65536..1000000000000",
            "Memory of what is known about sites; those not seen for longest are forgotten.", false},
           ND_PLACE(uint64_t, sites.bytes)},
    Option{{"candidates_limit", "integer", "16", "1..1000", "Groups that are ranked for a page.", true},
           ND_PLACE(uint32_t, index.candidates)},
    Option{{"verifications_limit", "integer", "8", "1..1000", "Groups that a page is compared with.", true},
           ND_PLACE(uint32_t, index.verifications)},
    Option{{"postings_limit", "integer", "1024", "16..8192", "Groups looked at while ranking.", true},
           ND_PLACE(uint32_t, index.postings)},
    Option{{"similar_members_limit", "integer", "256", "1..65536",
            "Members of a group that a search for similar pages compares, the oldest first.", false},
           ND_PLACE(uint32_t, similar.members)},
    Option{{"similar_pages_limit", "integer", "2048", "1..65536", "Pages that it compares in all.", false},
           ND_PLACE(uint32_t, similar.pages)},
    Option{{"similar_work_limit", "integer", "512000000", "1000..1000000000000",
            "Inner steps of all its comparisons by the LCS; beyond them the list is cut.", false},
           ND_PLACE(uint64_t, similar.work)},
    Option{
        {"memory_budget_bytes", "integer", "0", "0..1000000000000000",
         "In memory: beyond it new pages are answered but not kept as candidates, and flagged. With a store: "
         "what has changed is written before it takes so much. 0: no budget.",
         false},
        ND_PLACE(uint64_t, memory_budget_bytes)},
    Option{{"durability", "choice", "journal", "none|snapshot|journal|sync",
            "What a crash may lose of a store; see nd_open.", false},
           ND_PLACE(uint32_t, storage.durability)},
    Option{{"read_only", "boolean", "false", "true|false",
            "Reads the last snapshot of a store that others may be writing.", false},
           ND_PLACE(bool, storage.read_only)},
    Option{
        {"overlay", "boolean", "false", "true|false",
         "Reads the last snapshot of a store as read_only does, and keeps changes above it in memory: pages "
         "are checked against the store and against each other, and nothing is written.",
         false},
        ND_PLACE(bool, storage.overlay)},
    Option{{"verify", "choice", "lazy", "full|lazy|off",
            "Checks the checksums of a store's files when it is opened, where they are first used, or never. "
            "The values lcs and method are taken for option decide.",
            false},
           ND_PLACE(uint32_t, storage.verify)},
    Option{{"recover", "boolean", "false", "true|false",
            "Opens a store whose newest journal is damaged with the changes before the damage; what stands "
            "behind "
            "it is lost.",
            false},
           ND_PLACE(bool, storage.recover)},
    Option{{"mmap", "boolean", "true", "true|false",
            "Maps a store's files; else they are read into memory as they are used, for untrusted stores and "
            "failing disks.",
            false},
           ND_PLACE(bool, storage.mmap)},
    Option{{"journal_bytes", "integer", "25165824", "65536..1000000000000",
            "Bytes of changes since the last snapshot at which a store takes the next one by itself.", false},
           ND_PLACE(uint64_t, storage.journal_bytes)},
    Option{{"page_ttl_s", "integer", "0", "0..10000000000",
            "Seconds after which a page that was not fetched again is removed; 0: never.", false},
           ND_PLACE(uint64_t, storage.page_ttl_s)},
    Option{{"pipeline_mismatch", "choice", "warn", "warn|error",
            "What to do with a store whose texts were made by other versions of libxml2, ICU, the public "
            "suffix list or ndc.",
            false},
           ND_PLACE(uint32_t, storage.strict_pipeline)},
    Option{{"events_limit", "integer", "100000", "0..100000000", "Events that are kept for nd_each_event.",
            false},
           ND_PLACE(uint32_t, events)},
    Option{{"keep_text", "boolean", "false", "true|false",
            "Keeps the normalised text with the features, so that nd_explain can quote it.", false},
           ND_PLACE(bool, keep_text)},
};

template <size_t... kSizes>
constexpr auto joined(const std::array<Option, kSizes>&... parts) {
  std::array<Option, (kSizes + ...)> all{};
  auto next = all.begin();
  ((next = std::ranges::copy(parts, next).out), ...);
  return all;
}

constexpr std::array kOptions =
    joined(kFeatureOptions, kDetectorOptions, kDecisionOptions, kCollectionOptions);

constexpr std::array kInfos = [] {
  std::array<OptionInfo, kOptions.size()> infos{};
  for (size_t i = 0; i < kOptions.size(); ++i)
    infos[i] = kOptions[i].info;
  return infos;
}();

}  // namespace

std::span<const Option> option_table() noexcept {
  return kOptions;
}

std::span<const OptionInfo> option_infos() noexcept {
  return kInfos;
}

}  // namespace nd::engine
