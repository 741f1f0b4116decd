// Rows of the option table: which method finds near-duplicates, and its parameters (docs/detectors.md).
#pragma once

#include <array>

#include "engine/option_table.hpp"

namespace nd::engine {

inline constexpr std::array kDetectorOptions = {
    Option{
        {"detector", "choice", "lcs",
         "lcs|spotsigs|i-match-s|lsh-s|moz-vector|simhash64|simhash128|mwo|shingles|minhash|cosine|"
         "i-match|exact",
         "The method that finds near-duplicates; all but lcs keep an index in memory and no candidate keys "
         "(docs/detectors.md).",
         true},
        ND_PLACE(uint32_t, detector.method)},
    Option{{"decide", "choice", "lcs", "lcs|method",
            "Who decides on what the detector finds: the LCS, or the detector alone; then every verdict near "
            "is flagged as unverified. verify=lcs and verify=method mean the same.",
            true},
           ND_PLACE(uint32_t, detector.decide)},
    Option{
        {"detector_threshold", "integer", "0", "0..1000",
         "The least that must be equal for the detector, in its own unit: thousandths, equal bits or equal "
         "entries. 0: its default (docs/detectors.md).",
         true},
        ND_PLACE(uint32_t, detector.threshold)},
    Option{{"detector_bytes", "integer", "0", "0..1099511627776",
            "What the index of a detector other than lcs may hold; beyond it the oldest groups are found by "
            "equal text only. 0: no bound.",
            false},
           ND_PLACE(uint64_t, detector.bytes)},
    Option{{"i_match_idf_low", "integer", "400", "0..1000",
            "Least IDF of a word that counts for detector i-match, in thousandths (SpotSigs, Summary - Gold "
            "Set).",
            true},
           ND_PLACE(uint32_t, detector.i_match.low)},
    Option{{"i_match_idf_high", "integer", "750", "0..1000", "And its greatest.", true},
           ND_PLACE(uint32_t, detector.i_match.high)},
    Option{{"i_match_s_idf_low", "integer", "400", "0..1000",
            "Least IDF of a spot signature that counts for detector i-match-s, in thousandths (SpotSigs, "
            "Summary - Gold Set).",
            true},
           ND_PLACE(uint32_t, detector.i_match_s.low)},
    Option{{"i_match_s_idf_high", "integer", "1000", "0..1000", "And its greatest (docs/methods.md).", true},
           ND_PLACE(uint32_t, detector.i_match_s.high)},
    Option{{"lsh_s_rows", "integer", "6", "1..32",
            "k: min-hashes of a band of detector lsh-s (SpotSigs, Summary - Gold Set).", true},
           ND_PLACE(uint32_t, detector.lsh_s_rows)},
    Option{{"lsh_s_bands", "integer", "32", "1..128", "l: its bands.", true},
           ND_PLACE(uint32_t, detector.lsh_s_bands)},
    Option{{"baseline_shingle_tokens", "integer", "5", "1..32",
            "w: tokens of a shingle of the detectors shingles and minhash (MWO, section 2).", true},
           ND_PLACE(uint32_t, detector.shingle_tokens)},
    Option{{"mwo_fields", "choice", "main", "all|no-frame|main",
            "What detector mwo reads of a page: all fields (MWO, table 1), the same with links in main "
            "content alone, or main content alone.",
            true},
           ND_PLACE(uint32_t, detector.mwo.fields)},
    Option{{"mwo_stemming", "choice", "light", "full|light|none",
            "What detector mwo does to words: the stemmer of the page's language, English plurals alone, or "
            "nothing.",
            true},
           ND_PLACE(uint32_t, detector.mwo.stemming)},
    Option{{"mwo_filter", "choice", "safe", "safe|paper",
            "How detector mwo leaves pages unread: by bounds that lose nothing, or as published (MWO 3.1).",
            true},
           ND_PLACE(uint32_t, detector.mwo.filter)},
    Option{{"mwo_light_share", "integer", "100", "0..999",
            "Thousandths of a page's weight that its lightest terms, which detector mwo drops, have at most.",
            true},
           ND_PLACE(uint32_t, detector.mwo.light)},
    Option{{"mwo_url_weight", "integer", "2000", "0..1000000",
            "Weight of a word in the URL, for detector mwo, in thousandths (MWO, table 1), as the next "
            "seven; 0: not read. mwo_fields=main reads main content alone.",
            true},
           ND_PLACE(uint32_t, detector.mwo.weights.url)},
    Option{{"mwo_heading_weight", "integer", "2000", "0..1000000", "Weight of a word in a heading.", true},
           ND_PLACE(uint32_t, detector.mwo.weights.heading)},
    Option{{"mwo_title_weight", "integer", "2000", "0..1000000", "Weight of a word in the title.", true},
           ND_PLACE(uint32_t, detector.mwo.weights.title)},
    Option{{"mwo_same_site_link_weight", "integer", "1000", "0..1000000",
            "Weight of a word in a link to the same site.", true},
           ND_PLACE(uint32_t, detector.mwo.weights.anchor_same_site)},
    Option{{"mwo_other_site_link_weight", "integer", "500", "0..1000000",
            "Weight of a word in a link to another site.", true},
           ND_PLACE(uint32_t, detector.mwo.weights.anchor_other_site)},
    Option{
        {"mwo_keywords_weight", "integer", "3000", "0..1000000", "Weight of a word in the keywords.", true},
        ND_PLACE(uint32_t, detector.mwo.weights.keywords)},
    Option{{"mwo_description_weight", "integer", "3000", "0..1000000", "Weight of a word in the description.",
            true},
           ND_PLACE(uint32_t, detector.mwo.weights.description)},
    Option{{"mwo_main_content_weight", "integer", "1000", "0..1000000", "Weight of a word in main content.",
            true},
           ND_PLACE(uint32_t, detector.mwo.weights.main_content)},
};

}  // namespace nd::engine
