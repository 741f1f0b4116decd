// Marks good blocks, finds the densest run and container of them, and lets the weights of neighbours follow.
#include "text/main_content.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include "core/hash.hpp"
#include "core/memory.hpp"
#include "core/utf8.hpp"

namespace nd::text {
namespace {

constexpr float kGoodShare = 0.4F;
constexpr float kRunShare = 0.3F;
constexpr float kContainerShare = 0.3F;

constexpr float kLinkShareLimit = 0.33F;
// Running text of a language with a stop-word list: above a quarter of the words. Lists of names, menus and
// tables stay below.
constexpr uint32_t kProseWidth = 70;
constexpr float kProseStopShare = 0.25F;
// Chinese and Japanese: shorter blocks already tell; function characters are rarer than function words.
constexpr uint32_t kWideProseWidth = 50;
constexpr float kWideProseStopShare = 0.03F;
// A language without a list: long, almost unlinked and punctuated.
constexpr uint32_t kUnlistedProseWidth = 160;
constexpr float kUnlistedLinkShareLimit = 0.15F;

bool has_sentence_mark(const Document& document, const DocumentBlock& block) {
  for (uint32_t i = block.sentences.begin; i < block.sentences.end; ++i) {
    const std::string_view sentence = document.sentences[i].of(document.text);
    size_t last = sentence.size();
    while (last > 0 && (static_cast<unsigned char>(sentence[last - 1]) & 0xc0) == 0x80)
      --last;
    if (last == 0) continue;
    size_t position = last - 1;
    const char32_t mark = next_code_point(sentence, position);
    if (mark == '.' || mark == '!' || mark == '?' || mark == ';' || mark == U'。' || mark == U'”' ||
        mark == '"' || mark == ')')
      return true;
  }
  return false;
}

bool has_comma(std::string_view text) {
  return text.find(',') != text.npos || text.find("、") != text.npos;
}

// Most of the block's width is in wide characters.
bool is_wide_text(const DocumentBlock& block) {
  return block.width < 3 * block.tokens.size();
}

bool is_good(const Document& document, const DocumentBlock& block) {
  if (block.link_share > kLinkShareLimit) return false;
  if (is_wide_text(block) && block.width >= kWideProseWidth) {
    return block.stop_share > kWideProseStopShare &&
           (has_sentence_mark(document, block) || has_comma(block.text.of(document.text)));
  }
  if (block.width < kProseWidth) return false;
  if (block.stop_share > kProseStopShare) return true;
  return block.width >= kUnlistedProseWidth && block.link_share <= kUnlistedLinkShareLimit &&
         has_sentence_mark(document, block);
}

// [begin, end) of the maximum-sum run (Kadane).
Range densest_run(const Document& document, const Vector<uint8_t>& good) {
  Range best{0, 0};
  int64_t best_sum = 0;
  int64_t sum = 0;
  uint32_t begin = 0;
  for (uint32_t i = 0; i < document.blocks.size(); ++i) {
    const int64_t width = document.blocks[i].width;
    if (sum <= 0) {
      sum = 0;
      begin = i;
    }
    sum += good[i] != 0 ? width : -std::min<int64_t>(60, 20 + width / 2);
    if (sum > best_sum) {
      best_sum = sum;
      best = {begin, i + 1};
    }
  }
  return best;
}

}  // namespace

// Marks blocks whose text already occurs further up: authors do not repeat paragraphs, but comment threads
// (quotes) and responsive layouts (the same teaser for two screen sizes) do. Sorts instead of hashing: no
// page can be written to make it slow.
void ContentWeigher::find_repeated(const Document& document) {
  constexpr uint32_t kLeastWidth = 20;  // shorter ones are labels and table cells, which weigh little anyway
  repeated_.assign(document.blocks.size(), 0);
  hashed_.clear();
  for (uint32_t i = 0; i < document.blocks.size(); ++i) {
    const DocumentBlock& block = document.blocks[i];
    if (block.width >= kLeastWidth) hashed_.emplace_back(stable_hash(block.text.of(document.text)), i);
  }
  std::sort(hashed_.begin(), hashed_.end());
  for (size_t begin = 0, end = 0; begin < hashed_.size(); begin = end) {
    end = begin + 1;
    while (end < hashed_.size() && hashed_[end].first == hashed_[begin].first)
      ++end;
    if (end - begin > 1) mark_repeated(document, std::span(hashed_).subspan(begin, end - begin));
  }
}

// Compares blocks with equal hashes, in their order. The texts decide: anyone can write two with the same
// hash.
void ContentWeigher::mark_repeated(const Document& document, std::span<HashedBlock> blocks) {
  const auto text_of = [&document](const HashedBlock& block) {
    return document.blocks[block.second].text.of(document.text);
  };
  const std::string_view first = text_of(blocks.front());
  if (!std::ranges::all_of(blocks, [&](const HashedBlock& block) { return text_of(block) == first; })) {
    std::ranges::sort(blocks, [&](const HashedBlock& one, const HashedBlock& other) {
      const int order = text_of(one).compare(text_of(other));
      return order != 0 ? order < 0 : one.second < other.second;
    });
  }
  for (size_t i = 1; i < blocks.size(); ++i)
    repeated_[blocks[i].second] = text_of(blocks[i]) == text_of(blocks[i - 1]);
}

// The container with most good text: its own blocks count in full, those one container below by half, so that
// paragraphs that are wrapped one by one still add up.
uint32_t ContentWeigher::best_container(const Document& document) {
  const Extraction& extraction = document.extraction;
  score_.assign(extraction.containers.size(), 0);
  for (uint32_t i = 0; i < document.blocks.size(); ++i) {
    if (good_[i] == 0) continue;
    const uint32_t container = extraction.blocks[document.blocks[i].source].container;
    score_[container] += 2 * uint64_t{document.blocks[i].width};
    if (container != 0) score_[extraction.containers[container].parent] += document.blocks[i].width;
  }
  return static_cast<uint32_t>(std::max_element(score_.begin(), score_.end()) - score_.begin());
}

// Marks everything inside the container, and the container itself. In one pass: separate look-ups would go up
// through all containers around each block.
void ContentWeigher::find_inside(const Extraction& extraction, uint32_t container) {
  inside_.assign(extraction.containers.size(), 0);
  inside_[container] = 1;
  for (size_t i = size_t{container} + 1; i < inside_.size(); ++i)
    inside_[i] = inside_[extraction.containers[i].parent];  // parents come first
}

// [5] Main content against boilerplate.
void ContentWeigher::weigh(Document& document, const BlockModel* model) {
  if (document.blocks.empty()) return;
  find_repeated(document);
  good_.resize(document.blocks.size());
  for (uint32_t i = 0; i < document.blocks.size(); ++i)
    good_[i] = repeated_[i] == 0 && is_good(document, document.blocks[i]);
  structure_ = ContentStructure{good_, densest_run(document, good_)};
  if (!structure_.run.empty()) structure_.best_container = best_container(document);
  document.work.add(Work::kBlocks, document.blocks.size() + document.extraction.containers.size());
  if (model == nullptr || document.kind != ContentKind::kHtml) {
    weigh_by_rules(document);
  } else {
    weigh_by_model(document, *model);
  }
}

void ContentWeigher::weigh_by_rules(Document& document) {
  const Range run = structure_.run;
  const bool any_good = !run.empty();
  if (any_good) find_inside(document.extraction, structure_.best_container);
  for (uint32_t i = 0; i < document.blocks.size(); ++i) {
    DocumentBlock& block = document.blocks[i];
    block.weight = good_[i] != 0 ? kGoodShare : 0.0F;
    if (!any_good || repeated_[i] != 0) continue;
    if (i >= run.begin && i < run.end) block.weight += kRunShare;
    if (inside_[document.extraction.blocks[block.source].container] != 0) block.weight += kContainerShare;
  }
}

void ContentWeigher::weigh_by_model(Document& document, const BlockModel& model) {
  // As much again as the rules: sums of containers, features of blocks.
  document.work.add(Work::kBlocks, document.blocks.size() + 2 * document.extraction.containers.size());
  features_.start(document, structure_);
  for (size_t first = 0; first < document.blocks.size(); first += BlockFeatures::kChunk) {
    ChunkWeights weights;
    const size_t end = std::min(first + BlockFeatures::kChunk, document.blocks.size());
    weigh_blocks(model, features_.chunk(first), end - first, weights);
    for (size_t i = first; i < end; ++i)
      document.blocks[i].weight = repeated_[i] != 0 ? 0.0F : static_cast<float>(weights[i - first]) / 255.0F;
  }
}

}  // namespace nd::text
