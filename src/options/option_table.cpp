// One row per option: first what a person would change, then the experimental options, which exist for
// measurements and tests. A value that only a fit changes is a constant of the parameters and no option.
#include "options/option_table.hpp"

#include <algorithm>
#include <array>

#include "page/feature_layout.hpp"

namespace nd::engine {
namespace {

// A features record cannot store greater values, so these limit the ranges of x_spot_chain, x_spot_signatures
// and x_baseline_shingle_tokens.
static_assert(kSpotChainLimit == 16 && kSpotSignaturesLimit == 65535 && kDescriptionShingleLimit == 32);

constexpr std::array kStableOptions = {
    Option{{"page_bytes_limit", "integer", "16777216", "1024..1073741824",
            "Bytes of a body that are read; the rest is cut and flagged.", false, "pages"},
           ND_PLACE(uint64_t, page.page_bytes)},
    Option{
        {"text_bytes_limit", "integer", "4194304", "1024..268435456",
         "Bytes of visible text that are extracted from a page; the rest is cut and flagged.", true, "pages"},
        ND_PLACE(uint32_t, page.html.text_bytes)},
    Option{{"tokens_limit", "integer", "65536", "64..4194304",
            "Tokens of a page that are kept and compared; the rest is cut and flagged.", true, "pages"},
           ND_PLACE(uint32_t, page.tokens)},
    Option{{"block_weights", "choice", "learned", "learned|rules|none",
            "What tells main content from boilerplate: a model of HTML, rules alone, or nothing: all text "
            "counts.",
            true, "pages"},
           ND_PLACE(uint32_t, page.block_weights)},
    Option{{"keep_text", "boolean", "false", "true|false",
            "Keeps the normalised text of each page beside what it is compared by, so that nd_explain can "
            "quote it.",
            false, "features"},
           ND_PLACE(bool, keep_text)},

    Option{
        {"detector", "choice", "lcs",
         "lcs|spotsigs|i-match-s|lsh-s|moz-vector|simhash64|simhash128|mwo|shingles|minhash|cosine|"
         "i-match|exact",
         "The method that finds near-duplicates; all but lcs keep an index in memory and no candidate keys "
         "(docs/detectors.md).",
         true, "keys descriptions comparisons decisions groups"},
        ND_PLACE(uint32_t, detector.method)},
    Option{{"decide", "choice", "lcs", "lcs|method",
            "Who decides on what the detector finds: the LCS, or the detector alone; then every verdict near "
            "is flagged as unverified.",
            true, "decisions", "detector!=lcs"},
           ND_PLACE(uint32_t, detector.decide)},
    Option{
        {"detector_threshold", "integer", "0", "0..1000",
         "The least that must be equal for the detector, in its own unit: thousandths, equal bits or equal "
         "entries. 0: its default (docs/detectors.md).",
         true, "decisions", "detector!=lcs"},
        ND_PLACE(uint32_t, detector.threshold)},
    Option{{"decision", "choice", "document", "document|report",
            "What makes two texts one document: a probability learned from judged pages, or the rule of "
            "TR2007012 5.4 (docs/decision.md).",
            true, "pages keys descriptions comparisons decisions", "decide=lcs"},
           ND_PLACE(uint32_t, decision.decision)},
    Option{{"same_document", "number", "0.50", "0..1",
            "The probability of being the same document from which on a page joins a group.", true,
            "decisions", "decide=lcs decision=document"},
           ND_PLACE(double, decision.same_document)},
    Option{{"resemblance", "number", "0.28", "0..1",
            "The resemblance from which on two pages are near-duplicates (TR2007012 5.4).", true, "decisions",
            "decide=lcs decision=report"},
           ND_PLACE(double, decision.resemblance)},
    Option{{"containment", "number", "0.70", "0..1",
            "The share of a page that lies in the other, from which on they are near-duplicates (TR2007012 "
            "5.4).",
            true, "decisions", "decide=lcs decision=report"},
           ND_PLACE(double, decision.containment)},
    Option{{"spotsigs", "boolean", "true", "true|false",
            "Finds groups by spot signatures (SpotSigs, SIGIR 2008) too, beside the keys; off, features have "
            "none.",
            true, "descriptions"},
           ND_PLACE(bool, spots.enabled)},

    Option{
        {"memory_budget_bytes", "integer", "0", "0..1000000000000000",
         "In memory: beyond it new pages are answered but not kept as candidates, and flagged. With a store: "
         "what has changed is written before it takes so much. 0: no budget.",
         false, "engines"},
        ND_PLACE(uint64_t, memory_budget_bytes)},
    Option{{"keys_bytes", "integer", "0", "0..1099511627776",
            "What the index of candidate keys may hold; beyond it groups take no new keys, and are found by "
            "their spot signatures, old keys and equal text. Its tables, which double and do not shrink, may "
            "take up to 4 times as much in memory. 0: no bound.",
            false, "engines", "detector=lcs"},
           ND_PLACE(uint64_t, index.bytes)},
    Option{{"spot_bytes", "integer", "268435456", "0..1099511627776",
            "What the index of spot signatures may hold; beyond it the oldest groups are found by their keys "
            "only. Its tables may take up to 4 times as much in memory. 0: no bound.",
            false, "engines", "detector=lcs spotsigs=true"},
           ND_PLACE(uint64_t, spot_source.bytes)},
    Option{{"site_bytes", "integer", "268435456", "65536..1000000000000",
            "Memory of what is known about sites; those not seen for longest are forgotten.", false, "groups",
            "decide=lcs decision=document"},
           ND_PLACE(uint64_t, sites.bytes)},
    Option{{"detector_bytes", "integer", "0", "0..1099511627776",
            "What the index of a detector other than lcs may hold; beyond it the oldest groups are found by "
            "equal text only. 0: no bound.",
            false, "engines", "detector!=lcs"},
           ND_PLACE(uint64_t, detector.bytes)},
    Option{{"check_work_limit", "integer", "64000", "0..1000000000000",
            "Inner steps of all comparisons of a check together, beside those that its bytes allow; what "
            "would take more is cut and flagged, the likeliest candidates come first. 0: no bound.",
            true, "groups"},
           ND_PLACE(uint64_t, budget.check_work)},
    Option{{"events_limit", "integer", "100000", "0..100000000",
            "Changes of pages and groups that an engine remembers, the latest ones, for nd_each_event.",
            false, "engines"},
           ND_PLACE(uint32_t, events)},

    Option{{"durability", "choice", "journal", "none|snapshot|journal|sync",
            "What a crash may lose of a store: all since the last nd_snapshot (none), all since the last "
            "snapshot, which the engine takes by itself (snapshot), nothing if the process dies (journal), "
            "nothing if the machine dies (sync).",
            false, "stores", "store read_only=false overlay=false"},
           ND_PLACE(uint32_t, storage.durability)},
    Option{{"journal_bytes", "integer", "25165824", "65536..1000000000000",
            "Bytes of changes since the last snapshot at which a store takes the next one by itself.", false,
            "stores", "store read_only=false overlay=false durability!=none"},
           ND_PLACE(uint64_t, storage.journal_bytes)},
    Option{{"read_only", "boolean", "false", "true|false",
            "Reads the last snapshot of a store that others may be writing.", false, "stores",
            "store overlay=false"},
           ND_PLACE(bool, storage.read_only)},
    Option{
        {"overlay", "boolean", "false", "true|false",
         "Reads the last snapshot of a store as read_only does, and keeps changes above it in memory: pages "
         "are checked against the store and against each other, and nothing is written.",
         false, "stores", "store"},
        ND_PLACE(bool, storage.overlay)},
    Option{{"verify", "choice", "lazy", "full|lazy|off",
            "Checks the checksums of a store's files when it is opened, where they are first used, or never.",
            false, "stores", "store"},
           ND_PLACE(uint32_t, storage.verify)},
    Option{{"recover", "boolean", "false", "true|false",
            "Opens a store whose newest journal is damaged with the changes before the damage; what follows "
            "it is lost.",
            false, "stores", "store read_only=false overlay=false"},
           ND_PLACE(bool, storage.recover)},
    Option{{"mmap", "boolean", "true", "true|false",
            "Maps a store's files; else they are read into memory as they are used, for untrusted stores and "
            "failing disks.",
            false, "stores", "store"},
           ND_PLACE(bool, storage.mmap)},
    Option{{"pipeline_mismatch", "choice", "warn", "warn|error",
            "What to do with a store whose texts were made by other versions of libxml2, ICU, the public "
            "suffix list or ndc.",
            false, "stores", "store"},
           ND_PLACE(uint32_t, storage.strict_pipeline)},
    Option{{"page_ttl_s", "integer", "0", "0..10000000000",
            "Seconds after which a page that was not fetched again is removed; 0: never.", false, "engines",
            "read_only=false"},
           ND_PLACE(uint64_t, storage.page_ttl_s)},
};

constexpr std::array kExperimentalOptions = {
    Option{{"x_html_reader", "choice", "fast", "fast|libxml2",
            "What reads HTML: ndc's own reader, which leaves pages of unusual markup to libxml2, or libxml2 "
            "alone. The text is the same.",
            false, "pages"},
           ND_PLACE(uint32_t, page.html_reader)},
    Option{{"x_depth_limit", "integer", "256", "16..1024",
            "Nesting depth of elements; deeper ones are flattened and flagged.", true, "pages"},
           ND_PLACE(uint32_t, page.html.depth)},
    Option{{"x_blocks_limit", "integer", "65536", "16..1048576",
            "Text blocks that are extracted from a page; the rest is cut and flagged.", true, "pages"},
           ND_PLACE(uint32_t, page.html.blocks)},

    Option{{"x_fingerprint_sentences", "integer", "4", "1..16",
            "Y: sentences that make one fingerprint (TR2007012 4.2).", true, "keys", "detector=lcs"},
           ND_PLACE(uint32_t, fingerprints.sentences)},
    Option{{"x_fingerprint_cover_width", "integer", "100", "0..10000",
            "Z: the sentences of a fingerprint are wider than this together (TR2007012 4.2).", true, "keys",
            "detector=lcs"},
           ND_PLACE(uint32_t, fingerprints.cover_width)},
    Option{{"x_fingerprint_buckets", "integer", "0", "0..64",
            "m: buckets of sentence digests; at most 16 m fingerprints a page (TR2007012 4.2), with one "
            "bucket 4. 0: 1 in an engine, 7 in features for elsewhere.",
            true, "keys", "detector=lcs"},
           ND_PLACE(uint32_t, fingerprints.buckets)},
    Option{{"x_relaxed", "boolean", "true", "true|false",
            "Adds shingle keys, which find what the fingerprints alone miss.", true, "keys", "detector=lcs"},
           ND_PLACE(bool, relaxed.enabled)},
    Option{
        {"x_relaxed_keys", "integer", "16", "1..256", "Smallest shingle hashes of a page that become keys.",
         true, "keys", "detector=lcs x_relaxed=true"},
        ND_PLACE(uint32_t, relaxed.keys)},
    Option{{"x_hot_groups_limit", "integer", "10000", "2..1000000",
            "A key in more groups than this is deleted (TR2007012 4.2).", true, "groups", "detector=lcs"},
           ND_PLACE(uint32_t, index.hot_groups)},
    Option{{"x_hot_site_groups_limit", "integer", "400", "2..1000000",
            "A key in more groups than this is deleted if they are of at most x_hot_sites sites (TR2007012 "
            "4.2).",
            true, "groups", "detector=lcs"},
           ND_PLACE(uint32_t, index.hot_site_groups)},
    Option{{"x_hot_sites", "integer", "8", "1..1000",
            "Sites up to which x_hot_site_groups_limit, and not x_hot_groups_limit, bounds the groups of a "
            "key (TR2007012 4.2).",
            true, "groups", "detector=lcs"},
           ND_PLACE(uint32_t, index.hot_sites)},

    Option{{"x_spot_chain", "integer", "2", "1..16", "c: content words of a spot signature (SpotSigs).", true,
            "descriptions", "detector=lcs|spotsigs|i-match-s|lsh-s spotsigs=true"},
           ND_PLACE(uint32_t, spots.chain)},
    Option{{"x_spot_signatures", "integer", "0", "0..65535",
            "Distinct spot signatures of a page that are kept: the smallest hashes. 0: 8 with detector lcs, "
            "1024 with the others.",
            true, "descriptions", "detector=lcs|spotsigs|i-match-s|lsh-s spotsigs=true"},
           ND_PLACE(uint32_t, spots.signatures)},
    Option{{"x_antecedents", "words", "default", "default|1..256 words",
            "Words at which spot signatures begin, between spaces or commas; default: those of eleven "
            "languages (SpotSigs, Case (I)).",
            true, "descriptions", "detector=lcs|spotsigs|i-match-s|lsh-s spotsigs=true"},
           ND_PLACE(String, antecedents)},

    Option{{"x_candidates_limit", "integer", "16", "1..1000", "Candidate groups of a page that are ranked.",
            true, "engines"},
           ND_PLACE(uint32_t, index.candidates)},
    Option{{"x_verifications_limit", "integer", "8", "1..1000",
            "Candidate groups that a page is compared with, the best-ranked first.", true, "groups"},
           ND_PLACE(uint32_t, verifications)},
    Option{{"x_postings_limit", "integer", "1024", "16..8192",
            "Groups in the lists of a page's keys that are looked at to rank the page's candidates.", true,
            "groups", "detector=lcs"},
           ND_PLACE(uint32_t, index.postings)},
    Option{{"x_check_work_per_byte", "integer", "48", "0..1000000",
            "Inner steps by which each byte of a page raises check_work_limit.", true, "groups",
            "check_work_limit!=0"},
           ND_PLACE(uint64_t, budget.byte_work)},
    Option{{"x_verification_work_limit", "integer", "64000000", "1000..1000000000000",
            "Inner steps of one comparison by the LCS; beyond them it stops with what it has.", true,
            "comparisons", "decide=lcs"},
           ND_PLACE(uint64_t, comparison.work_limit)},
    Option{{"x_window_width", "integer", "16", "1..256", "S: window of the filtered sketch (TR2007012 5.2).",
            true, "comparisons", "decide=lcs"},
           ND_PLACE(uint32_t, comparison.window_width)},
    Option{{"x_trustable", "boolean", "false", "true|false",
            "Counts only what lies in trustable regions (TR2007012 4.4).", true, "comparisons", "decide=lcs"},
           ND_PLACE(bool, comparison.trustable)},
    Option{{"x_rounds", "integer", "8", "1..64",
            "Passes of a comparison over what is left, for reordered paragraphs (TR2007012 4.4).", true,
            "comparisons", "decide=lcs"},
           ND_PLACE(uint32_t, comparison.rounds)},
    Option{{"x_edit_budget", "integer", "1000", "0..10000",
            "Edits up to which Myers' algorithm compares; beyond it the bit-parallel one.", true,
            "comparisons", "decide=lcs"},
           ND_PLACE(uint32_t, comparison.edit_budget)},
    Option{
        {"x_first_similar", "boolean", "false", "true|false",
         "nd_partition_features: a page joins the first representative that is similar, as in the slides of "
         "TR2007012, instead of the best.",
         false, "partitions", "detector=lcs"},
        ND_PLACE(bool, index.first_similar)},
    Option{
        {"x_similar_members_limit", "integer", "256", "1..65536",
         "Members of a group that a search for similar pages compares, the oldest first.", false, "searches"},
        ND_PLACE(uint32_t, similar.members)},
    Option{{"x_similar_pages_limit", "integer", "2048", "1..65536",
            "Pages that a search for similar pages compares at most.", false, "searches"},
           ND_PLACE(uint32_t, similar.pages)},
    Option{{"x_similar_work_limit", "integer", "512000000", "1000..1000000000000",
            "Inner steps of all comparisons of a search for similar pages; beyond them the list is cut.",
            false, "searches", "detector=lcs"},
           ND_PLACE(uint64_t, similar.work)},

    Option{{"x_baseline_shingle_tokens", "integer", "5", "1..32",
            "w: tokens of a shingle of the detectors shingles and minhash (MWO, section 2).", true,
            "descriptions", "detector=shingles|minhash"},
           ND_PLACE(uint32_t, detector.shingle_tokens)},
    Option{{"x_mwo_fields", "choice", "main", "all|no-frame|main",
            "What detector mwo reads of a page: all fields (MWO, table 1), the same with links in main "
            "content alone, or main content alone.",
            true, "descriptions", "detector=mwo"},
           ND_PLACE(uint32_t, detector.mwo.fields)},
    Option{{"x_mwo_stemming", "choice", "light", "full|light|none",
            "What detector mwo does to words: the stemmer of the page's language, English plurals alone, or "
            "nothing.",
            true, "descriptions", "detector=mwo"},
           ND_PLACE(uint32_t, detector.mwo.stemming)},
};

constexpr std::array kOptions = [] {
  std::array<Option, kStableOptions.size() + kExperimentalOptions.size()> all{};
  std::ranges::copy(kExperimentalOptions, std::ranges::copy(kStableOptions, all.begin()).out);
  return all;
}();

constexpr std::array kInfos = [] {
  std::array<OptionInfo, kOptions.size()> infos{};
  for (size_t i = 0; i < kOptions.size(); ++i)
    infos[i] = kOptions[i].info;
  return infos;
}();

// Constants of fits, of the methods' papers and of the format; their origin is beside their values.
constexpr std::string_view kConstants =
    "sentence_width shingle_tokens wide_shingle_tokens spot_distance spot_idf_low spot_idf_high "
    "spot_threshold spot_candidates_limit spot_postings_limit i_match_idf_low i_match_idf_high "
    "i_match_s_idf_low i_match_s_idf_high lsh_s_rows lsh_s_bands mwo_filter mwo_light_share "
    "mwo_url_weight mwo_heading_weight mwo_title_weight mwo_same_site_link_weight "
    "mwo_other_site_link_weight mwo_keywords_weight mwo_description_weight mwo_main_content_weight slope "
    "trustable_block_width gain_width exact_width full_coverage";

}  // namespace

std::span<const Option> option_table() noexcept {
  return kOptions;
}

std::span<const OptionInfo> option_infos() noexcept {
  return kInfos;
}

std::string_view former_options() noexcept {
  return kConstants;
}

}  // namespace nd::engine
