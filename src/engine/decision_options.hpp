// Rows of the option table: how two texts are compared, and when they are near-duplicates (docs/decision.md).
#pragma once

#include <array>

#include "engine/option_table.hpp"

namespace nd::engine {

inline constexpr std::array kDecisionOptions = {
    Option{{"window_width", "integer", "16", "1..256", "S: window of the filtered sketch (TR2007012 5.2).",
            true},
           ND_PLACE(uint32_t, comparison.window_width)},
    Option{{"trustable", "boolean", "false", "true|false",
            "Counts only what lies in trustable regions (TR2007012 4.4).", true},
           ND_PLACE(bool, comparison.trustable)},
    Option{{"slope", "number", "0.10", "0..1",
            "Theta: edits per unit of text in a trustable region (TR2007012 5.3).", true},
           ND_PLACE(double, comparison.trust.slope)},
    Option{{"trustable_block_width", "integer", "64", "8..4096",
            "s: width of a block of the trustable region's grid (TR2007012 4.4).", true},
           ND_PLACE(uint32_t, comparison.trust.block_width)},
    Option{{"rounds", "integer", "8", "1..64",
            "Passes of a comparison over what is left, for reordered paragraphs (TR2007012 4.4).", true},
           ND_PLACE(uint32_t, comparison.rounds)},
    Option{{"gain_width", "integer", "64", "1..100000",
            "A pass that matches less width than this is the last.", true},
           ND_PLACE(uint32_t, comparison.gain_width)},
    Option{{"edit_budget", "integer", "1000", "0..10000",
            "Edits up to which Myers' algorithm is used; beyond it the bit-parallel one.", true},
           ND_PLACE(uint32_t, comparison.edit_budget)},
    Option{{"verification_work_limit", "integer", "64000000", "1000..1000000000000",
            "Inner steps of one comparison; beyond them it stops with what it has.", true},
           ND_PLACE(uint64_t, comparison.work_limit)},
    Option{{"check_work_limit", "integer", "64000", "0..1000000000000",
            "Inner steps of all comparisons of a check together, beside check_work_per_byte; what would take "
            "more is cut and flagged, the likeliest candidates come first. 0: no bound.",
            true},
           ND_PLACE(uint64_t, budget.check_work)},
    Option{{"check_work_per_byte", "integer", "48", "0..1000000",
            "And of them so many more for each byte of the page.", true},
           ND_PLACE(uint64_t, budget.byte_work)},
    Option{{"decision", "choice", "document", "document|report",
            "What makes two texts one document: a probability learned from judged pages, or the rule of "
            "TR2007012 5.4 (docs/decision.md).",
            true},
           ND_PLACE(uint32_t, decision.decision)},
    Option{
        {"same_document", "number", "0.50", "0..1",
         "decision=document: the probability of being the same document from which on a page joins.", true},
        ND_PLACE(double, decision.same_document)},
    Option{{"resemblance", "number", "0.28", "0..1",
            "decision=report: pages that resemble each other so much are near-duplicates (TR2007012 5.4).",
            true},
           ND_PLACE(double, decision.resemblance)},
    Option{{"containment", "number", "0.70", "0..1",
            "decision=report: so is a page of which this share lies in the other (TR2007012 5.4).", true},
           ND_PLACE(double, decision.containment)},
    Option{{"exact_width", "integer", "40", "1..100000",
            "Least visible text of a page with markup for the verdict exact.", true},
           ND_PLACE(uint32_t, decision.exact_width)},
    Option{{"full_coverage", "number", "0.80", "0..1",
            "Covered less than this by its counterpart, a page contains (or the representative) much more: a "
            "flag.",
            true},
           ND_PLACE(double, decision.full_coverage)},
};

}  // namespace nd::engine
