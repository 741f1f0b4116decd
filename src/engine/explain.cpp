// Whether two known pages are near-duplicates (ndcapi.h, nd_compare_pages), and why, as JSON (nd_explain).
#include <algorithm>
#include <mutex>

#include "core/json.hpp"
#include "core/version.hpp"
#include "engine/engine.hpp"
#include "engine/pair_reasons.hpp"
#include "engine/site_contribution.hpp"

namespace nd::engine {
namespace {

// Pieces of kept text, one per token.
class TokenText {
 public:
  explicit TokenText(const Features& features) : text_(features.text()) {
    if (text_.empty()) return;
    starts_.push_back(0);
    for (size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == kPieceSeparator) starts_.push_back(static_cast<uint32_t>(i + 1));
    }
  }
  // The text of tokens [begin, end), "" if it was not kept.
  String of(uint32_t begin, uint32_t end) const {
    String out;
    if (end > starts_.size() || begin >= end) return out;
    const size_t last = end < starts_.size() ? starts_[end] - 1 : text_.size();
    for (size_t i = starts_[begin]; i < last; ++i) {
      if (text_[i] != kPieceSeparator) out.push_back(text_[i]);
    }
    return out;
  }

 private:
  std::string_view text_;
  Vector<uint32_t> starts_;
};

void write_page(JsonWriter& json, std::string_view name, uint64_t page_id, const Features& page) {
  json.key(name).begin_object();
  json.member("page_id", page_id).member("url", page.url()).member("site", page.site());
  json.member("width", page.header().width).member("content_width", page.header().content_width);
  json.end_object();
}

void write_segment(JsonWriter& json, std::string_view kind, uint32_t a_begin, uint32_t a_end,
                   uint32_t b_begin, uint32_t b_end, const String& text, bool with_text) {
  json.begin_object().member("kind", kind);
  json.key("a").begin_array().value(a_begin).value(a_end).end_array();
  json.key("b").begin_array().value(b_begin).value(b_end).end_array();
  if (with_text) json.member("text", std::string_view(text));
  json.end_object();
}

// In the reading order of B; text that only A has appears where B lacks it. Moved text appears at its place
// in B.
void write_segments(JsonWriter& json, const Features& a, const Features& b,
                    std::span<const lcs::Match> matches) {
  const TokenText text_a(a);
  const TokenText text_b(b);
  const bool with_text = !a.text().empty() || !b.text().empty();
  Vector<lcs::Match> by_b(matches.begin(), matches.end());
  std::sort(by_b.begin(), by_b.end(), [](const lcs::Match& x, const lcs::Match& y) { return x.b < y.b; });
  Vector<uint8_t> matched_a(a.symbols().size(), 0);
  for (const lcs::Match& match : matches)
    std::fill_n(matched_a.begin() + match.a, match.count, uint8_t{1});
  json.key("segments").begin_array();
  uint32_t at_b = 0;
  const auto only_b = [&](uint32_t end) {
    if (at_b < end) write_segment(json, "b", 0, 0, at_b, end, text_b.of(at_b, end), with_text);
  };
  // The unmatched run of A that begins at `begin`.
  const auto only_a = [&](uint32_t begin) {
    uint32_t end = begin;
    while (end < matched_a.size() && matched_a[end] == 0)
      ++end;
    if (begin < end) write_segment(json, "a", begin, end, 0, 0, text_a.of(begin, end), with_text);
  };
  only_a(0);
  for (const lcs::Match& match : by_b) {
    only_b(match.b);
    at_b = match.b + match.count;
    write_segment(json, "both", match.a, match.a + match.count, match.b, at_b, text_b.of(match.b, at_b),
                  with_text);
    only_a(match.a + match.count);
  }
  only_b(static_cast<uint32_t>(b.symbols().size()));
  json.end_array();
}

struct TokenRange {
  size_t begin;
  size_t end;
};

// Tokens of the marked blocks; adjacent blocks form one range.
Vector<TokenRange> marked_ranges(const Features& page, const CountedPage& counted) {
  Vector<uint8_t> marks(counted.blocks.size());
  mark_by_share(counted, marks);
  const std::span<const FeatureBlock> blocks = page.blocks();
  Vector<TokenRange> ranges;
  for (size_t i = 0; i < marks.size();) {
    const size_t first = i;
    while (i < marks.size() && marks[i] != kOwnText)
      ++i;
    const size_t begin = blocks[first].token_begin;
    const size_t end = first < i ? token_end(blocks, i - 1, page.symbols().size()) : begin;
    if (begin < end) ranges.push_back({begin, end});
    if (first == i) ++i;
  }
  return ranges;
}

void write_ranges(JsonWriter& json, std::string_view name, const Vector<TokenRange>& ranges) {
  json.key(name).begin_array();
  for (const TokenRange& range : ranges)
    json.begin_array().value(range.begin).value(range.end).end_array();
  json.end_array();
}

void write_reasons(JsonWriter& json, const ComparedPair& pair) {
  json.key("reasons").begin_array();
  for (const PairReason& reason : reasons_of(pair)) {
    const String sentence = reason.sentence();
    json.begin_object().member("name", reason.name).key("values").begin_array();
    for (size_t i = 0; i < reason.value_count; ++i)
      json.value(reason.values[i]);
    json.end_array().member("sentence", std::string_view(sentence)).end_object();
  }
  json.end_array();
}

void write_ranges(JsonWriter& json, std::string_view name, const Features& page,
                  std::span<const lcs::Region> ranges) {
  const TokenText text(page);
  json.key(name).begin_array();
  for (const lcs::Region& range : ranges) {
    json.begin_object().key("tokens").begin_array().value(range.begin).value(range.end).end_array();
    if (!page.text().empty()) json.member("text", std::string_view(text.of(range.begin, range.end)));
    json.end_object();
  }
  json.end_array();
}

Vector<lcs::Region> ranges_of(std::span<const uint32_t> positions) {
  Vector<lcs::Region> ranges;
  for (const uint32_t position : positions) {
    if (ranges.empty() || ranges.back().end != position) ranges.push_back({position, position});
    ++ranges.back().end;
  }
  return ranges;
}

Vector<uint16_t> widths_of(const Features& page) {
  Vector<uint16_t> widths(page.symbols().size());
  std::ranges::transform(page.symbols(), widths.begin(), symbol_width);
  return widths;
}

// What the steps of TR2007012 leave of the texts: sections 4.3 and, if the comparison was confined to
// it, 4.4.
void write_steps(JsonWriter& json, const Features& a, const Features& b, lcs::Region trusted,
                 const lcs::ComparisonParameters& parameters, uint64_t secret) {
  const Vector<uint16_t> widths_a = widths_of(a), widths_b = widths_of(b);
  Vector<uint32_t> kept_a, kept_b;
  lcs::SketchFilter filter(secret);
  filter.filter({a.symbols(), widths_a}, {b.symbols(), widths_b}, parameters.window_width, kept_a, kept_b);
  json.key("sketch").begin_object();
  write_ranges(json, "a", a, ranges_of(kept_a));
  write_ranges(json, "b", b, ranges_of(kept_b));
  json.end_object();
  if (parameters.trustable) write_ranges(json, "trustable", a, {&trusted, trusted.empty() ? 0U : 1U});
}

std::string_view refusal_name(Refusal refusal) noexcept {
  switch (refusal) {
    case Refusal::kNone:
      break;
    case Refusal::kTruncated:
      return "truncated";
    case Refusal::kLittleMatched:
      return "little-matched";
  }
  return "";
}

std::string_view decision_name(DecisionKind kind) noexcept {
  return kind == DecisionKind::kReport ? "report" : "document";
}

// The threshold or other reason that settled it.
void write_reason(JsonWriter& json, const Verification& verification) {
  const Threshold& threshold = verification.threshold;
  if (!threshold.option.empty()) {
    json.key("decided_by").begin_object();
    json.member("option", threshold.option);
    json.member("asked", threshold.asked).member("found", threshold.found);
    json.end_object();
  }
  if (verification.refusal != Refusal::kNone) json.member("refused_as", refusal_name(verification.refusal));
}

// Enters what a detector that decides alone goes by.
void add_threshold(Verification& verification, double asked, double score) {
  if (verification.rule == Rule::kExact) return;
  if (!verification.similar && score >= asked) {
    verification.refusal = Refusal::kTruncated;
  } else {
    verification.threshold = {"detector_threshold", asked, score};
  }
}

// What the detector compared.
void write_detector(JsonWriter& json, const MethodParameters& detector, double score,
                    const detectors::MethodEvidence& evidence) {
  const double asked = detectors::least_score(detector.kind(), detector.threshold);
  json.member("detector", detectors::info_of(detector.kind()).name).member("score", score);
  json.member("asked", asked);
  json.key("compared").begin_object();
  json.member("unit", evidence.unit).member("a", evidence.of_a).member("b", evidence.of_b);
  json.member("shared", evidence.shared).end_object();
}

// kContains, kContained or 0: what the check of a page said beside this match.
uint32_t part_flags(const Answer& answer, uint64_t matched) noexcept {
  return answer.matched_page_id == matched ? answer.flags & (kContains | kContained) : 0;
}

uint32_t reversed(uint32_t part) noexcept {
  return part == kContains ? uint32_t{kContained} : part == kContained ? uint32_t{kContains} : 0;
}

uint64_t count_shared_keys(const Features& a, const Features& b) {
  Vector<uint64_t> keys(a.keys().begin(), a.keys().end());
  std::sort(keys.begin(), keys.end());
  uint64_t shared = 0;
  for (uint64_t key : b.keys())
    shared += std::binary_search(keys.begin(), keys.end(), key);
  return shared;
}

}  // namespace

Result<Engine::KnownPair> Engine::known_pair(uint64_t page_a, uint64_t page_b) const {
  const std::shared_lock lock(mutex_);
  const PageRef a = collection_->pages.find(page_a);
  const PageRef b = collection_->pages.find(page_b);
  if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  if (!a || !b) return error(Status::kNotFound, "no page of this id is known");
  KnownPair pair{collection_->texts.find(a->data->text), collection_->texts.find(b->data->text),
                 b->data->answer.group_id};
  pair.part = part_flags(b->data->answer, page_a) | reversed(part_flags(a->data->answer, page_b));
  if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  if (pair.a == nullptr || pair.b == nullptr)
    return error(Status::kNotFound, "the text of this page was not kept: the memory budget was reached");
  return pair;
}

Result<PairCounts> Engine::counts_of(const KnownPair& pair, Scratch& scratch) const {
  const std::shared_lock lock(mutex_);
  const PairCounts counts = count_pair(*collection_, *pair.a, *pair.b, scratch);
  if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  return counts;
}

Result<Answer> Engine::compare(uint64_t page_a, uint64_t page_b) {
  Result<KnownPair> pair = known_pair(page_a, page_b);
  if (!pair) return std::move(pair).failure();
  Verification verification;
  if (pair->a->has_text() && pair->b->has_text()) {
    Result<ScratchLease> lease = scratches_.lease();
    if (!lease) return std::move(lease).failure();
    (*lease)->budget.start(parameters_.budget, pair->b->bytes().size());
    if (parameters_.detector.method_decides()) {
      const std::shared_lock lock(mutex_);
      verification = collection_->method.verify(*pair->a, *pair->b, parameters_.decision);
    } else {
      const Result<PairCounts> counts = counts_of(*pair, **lease);
      if (!counts) return counts.failure();
      Verifier& verifier = (*lease)->verifier;
      verifier.set_page(*pair->b);
      verification = verifier.verify(*pair->a, *counts, parameters_, (*lease)->budget.left());
    }
  }
  Answer answer = answer_of_pair(verification, *pair->b, parameters_.decision);
  // Text of either that is not known may be the text that differs.
  if (pair->a->is_truncated()) answer.flags |= kTruncated;
  if (pair->a->is_limited()) answer.flags |= kLimit;
  answer.page_id = page_b;
  answer.group_id = pair->group_b;
  if (verification.similar) answer.matched_page_id = page_a;
  // Text that has become boilerplate since then is still lost with the page.
  if (answer.verdict == kNearDuplicate) answer.flags |= pair->part;
  return answer;
}

Result<void> Engine::explain(uint64_t page_a, uint64_t page_b, String& out) {
  Result<KnownPair> pair = known_pair(page_a, page_b);
  if (!pair) return std::move(pair).failure();
  const SharedFeatures& a = pair->a;
  const SharedFeatures& b = pair->b;
  Result<ScratchLease> lease = scratches_.lease();
  if (!lease) return std::move(lease).failure();
  Verifier& verifier = (*lease)->verifier;
  (*lease)->budget.start(parameters_.budget, b->bytes().size());
  const Result<PairCounts> counts = counts_of(*pair, **lease);
  if (!counts) return counts.failure();
  // Whichever method decides, the segments are those of the LCS.
  verifier.set_page(*b);
  Verification verification = verifier.verify_fully(*a, *counts, parameters_, (*lease)->budget.left());
  const MethodParameters& detector = parameters_.detector;
  double score = 0;
  detectors::MethodEvidence compared{};
  if (!detector.is_lcs()) {
    const std::shared_lock lock(mutex_);
    score = collection_->method.score(*a, *b);
    compared = collection_->method.evidence(*a, *b);
    if (detector.method_decides()) {
      verification = collection_->method.verify(*a, *b, parameters_.decision);
      add_threshold(verification, detectors::least_score(detector.kind(), detector.threshold), score);
    }
  }
  const std::string_view method = detectors::info_of(detector.kind()).name;

  out.clear();
  JsonWriter json(out);
  json.begin_object();
  write_page(json, "a", page_a, *a);
  write_page(json, "b", page_b, *b);
  json.member("verdict", !verification.similar               ? "different"
                         : verification.rule == Rule::kExact ? "exact"
                                                             : "near");
  json.member("rule", verification.rule == Rule::kMethod ? method : rule_name(verification.rule));
  if (!detector.is_lcs()) write_detector(json, detector, score, compared);
  json.member("resemblance", verification.resemblance).member("containment", verification.containment);
  json.member("page_coverage", verification.page_coverage)
      .member("matched_coverage", verification.matched_coverage);
  json.member("probability", verification.probability);
  json.member("matched_width", verification.matched_width);
  if (verification.limited) json.member("limited", true);
  json.member("shared_keys", count_shared_keys(*a, *b));
  if (!detector.method_decides()) json.member("decision", decision_name(parameters_.decision.kind()));
  write_reason(json, verification);
  const Vector<TokenRange> of_a = marked_ranges(*a, (*lease)->counted.representative);
  const Vector<TokenRange> of_b = marked_ranges(*b, (*lease)->counted.page);
  const bool has_boilerplate = !of_a.empty() || !of_b.empty();
  write_reasons(json, {verification, !detector.method_decides(), has_boilerplate});
  json.key("boilerplate").begin_object();
  write_ranges(json, "a", of_a);
  write_ranges(json, "b", of_b);
  json.end_object();
  if (parameters_.decision.kind() == DecisionKind::kReport)
    write_steps(json, *a, *b, verifier.trusted(), parameters_.comparison, secret_);
  write_segments(json, *a, *b, verifier.matches());
  json.member("version", library_version());
  json.end_object();
  return {};
}

}  // namespace nd::engine
