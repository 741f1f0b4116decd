// Computes the features column by column, for chunks of blocks, in the form that the trees read.
#include "text/block_features.hpp"

#include <algorithm>

namespace nd::text {
namespace {

constexpr uint8_t share(uint64_t part, uint64_t whole) noexcept {
  return static_cast<uint8_t>(whole == 0 ? 0 : std::min<uint64_t>(part * 255 / whole, 255));
}

constexpr uint8_t clamped(uint64_t value) noexcept {
  return static_cast<uint8_t>(std::min<uint64_t>(value, 255));
}

uint8_t linked(const TextBlock& block) noexcept {
  return share(block.linked_bytes, block.text.size());
}

bool ends_with_mark(std::string_view text) noexcept {
  constexpr std::string_view kMarks = ".!?;:\")";
  constexpr std::string_view kWideMarks[] = {"。", "！", "？", "”", "」", "…", "؟", "।"};
  if (text.empty()) return false;
  if (static_cast<unsigned char>(text.back()) < 0x80) return kMarks.find(text.back()) != kMarks.npos;
  return std::ranges::any_of(kWideMarks, [text](std::string_view mark) { return text.ends_with(mark); });
}

}  // namespace

void BlockFeatures::start(const Document& document, const ContentStructure& structure) {
  document_ = &document;
  structure_ = structure;
  sum_containers();
  find_levels();
  find_title();
  const Vector<TextBlock>& sources = document.extraction.blocks;
  run_width_ = 0;
  any_article_ = any_named_ = false;
  for (size_t i = 0; i < document.blocks.size(); ++i) {
    const uint16_t context = sources[document.blocks[i].source].context;
    any_article_ |= (context & kInArticle) != 0;
    any_named_ |= (context & kNamedNearest) != 0;
    if (i >= structure.run.begin && i < structure.run.end) run_width_ += document.blocks[i].width;
  }
  page_blocks_ = log_scale(page_.blocks);
  page_good_ = log_scale(page_.good);
  page_link_share_ = share(page_.linked, 255 * page_.width);
  run_share_ = share(run_width_, page_.width);
  width_before_ = 0;
  last_heading_ = SIZE_MAX;
  first_heading_seen_ = false;
  last_ = BlockView();
  current_ = view(0);
}

void BlockFeatures::sum_containers() {
  const Extraction& extraction = document_->extraction;
  containers_.assign(extraction.containers.size(), ContainerView());
  for (size_t i = 0; i < document_->blocks.size(); ++i) {
    const DocumentBlock& block = document_->blocks[i];
    const TextBlock& source = extraction.blocks[block.source];
    Sums& own = containers_[source.container].own;
    own.width += block.width;
    own.linked += uint64_t{block.width} * linked(source);
    if (structure_.good[i] != 0) own.good += block.width;
    ++own.blocks;
  }
  best_score_ = 0;
  for (ContainerView& container : containers_) {
    container.all = container.own;
    best_score_ = std::max(best_score_, container.own.good);
  }
  for (size_t i = containers_.size(); i-- > 1;) {  // parents come first
    const Sums& inner = containers_[i].all;
    ContainerView& parent = containers_[extraction.containers[i].parent];
    parent.all.width += inner.width;
    parent.all.linked += inner.linked;
    parent.all.good += inner.good;
    parent.all.blocks += inner.blocks;
    ++parent.inner;
  }
  page_ = containers_[0].all;
}

// How many levels above the best container is the first container that also contains this one.
void BlockFeatures::find_levels() {
  const Vector<Container>& tree = document_->extraction.containers;
  if (structure_.run.empty()) return;
  constexpr uint8_t kUnknown = 255;
  for (ContainerView& container : containers_)
    container.levels_to_best = kUnknown;
  uint8_t level = 0;
  for (uint32_t at = structure_.best_container;; at = tree[at].parent) {
    containers_[at].levels_to_best = level;
    if (at == 0) break;
    level = clamped(level + uint64_t{level < kUnknown - 1});
  }
  for (size_t i = 1; i < containers_.size(); ++i) {
    if (containers_[i].levels_to_best == kUnknown)
      containers_[i].levels_to_best = containers_[tree[i].parent].levels_to_best;
  }
}

// The first heading whose text is in the page's title.
void BlockFeatures::find_title() {
  constexpr int kMostCompared = 16;
  constexpr size_t kTitleBytes = 512;
  constexpr size_t kLeastBytes = 4;
  const Extraction& extraction = document_->extraction;
  const std::string_view title = std::string_view(extraction.title).substr(0, kTitleBytes);
  title_heading_ = SIZE_MAX;
  int compared = 0;
  for (size_t i = 0; i < document_->blocks.size() && compared < kMostCompared; ++i) {
    const TextBlock& block = extraction.blocks[document_->blocks[i].source];
    if (block.heading_level == 0) continue;
    ++compared;
    const std::string_view text = block.text.of(extraction.text);
    if (text.size() < kLeastBytes || title.find(text) == title.npos) continue;
    title_heading_ = i;
    return;
  }
}

// Divides once per container rather than once per block.
void BlockFeatures::show(uint32_t container) {
  const Vector<Container>& tree = document_->extraction.containers;
  ContainerView& view = containers_[container];
  view.is_shown = true;
  const Sums& own = view.own;
  view.own_width = log_scale(own.width);
  view.own_link_share = share(own.linked, 255 * own.width);
  view.own_good_share = share(own.good, page_.good);
  view.own_blocks = log_scale(own.blocks);
  view.score_share = share(own.good, best_score_);
  const ContainerView& outer = containers_[tree[container].parent];
  view.outer_width = log_scale(outer.all.width);
  view.outer_link_share = share(outer.all.linked, 255 * outer.all.width);
  view.outer_good_share = share(outer.all.good, page_.good);
  view.outer_blocks = log_scale(outer.all.blocks);
  view.outer_block_width = log_scale(outer.all.width / std::max<uint32_t>(1, outer.all.blocks));
  view.outer_containers = log_scale(outer.inner);
  const Sums& third = containers_[tree[tree[container].parent].parent].all;
  view.third_link_share = share(third.linked, 255 * third.width);
  view.third_good_share = share(third.good, page_.good);
}

BlockFeatures::BlockView BlockFeatures::view(size_t block) const {
  if (block >= document_->blocks.size()) return {};
  const TextBlock& source = document_->extraction.blocks[document_->blocks[block].source];
  return {log_scale(document_->blocks[block].width), linked(source), structure_.good[block],
          source.heading_level, source.container};
}

const BlockFeatures::Rows& BlockFeatures::chunk(size_t first) {
  const size_t end = std::min(first + kChunk, document_->blocks.size());
  for (size_t block = first; block < end; ++block) {
    const size_t column = block - first;
    next_ = view(block + 1);
    put_text(block, column);
    put_context(block, column);
    put_position(block, column);
    put_neighbours(block, column);
    put_container(column);
    put_page(column);
    last_ = current_;
    current_ = next_;
  }
  return rows_;
}

void BlockFeatures::put_text(size_t index, size_t column) {
  using enum BlockFeature;
  const DocumentBlock& block = document_->blocks[index];
  put(width, column, current_.width);
  put(link_share, column, current_.link_share);
  put(stop_share, column, static_cast<uint8_t>(block.stop_share * 255));
  put(token_width, column, clamped(uint64_t{block.width} * 8 / std::max<uint32_t>(1, block.tokens.size())));
  put(sentences, column, clamped(block.sentences.size()));
  put(ends_sentence, column, ends_with_mark(block.text.of(document_->text)));
}

void BlockFeatures::put_context(size_t index, size_t column) {
  using enum BlockFeature;
  const TextBlock& block = document_->extraction.blocks[document_->blocks[index].source];
  const auto put_bit = [&](BlockFeature feature, uint16_t bit) {
    put(feature, column, (block.context & bit) != 0);
  };
  const auto put_place = [&](BlockFeature feature, uint16_t by_element, uint16_t by_name) {
    const bool is_named = (block.context & by_name) != 0;
    put(feature, column, (block.context & by_element) != 0 ? 2 : is_named ? 1 : 0);
  };
  put(heading_level, column, block.heading_level);
  put_bit(in_list, kInList);
  put_bit(in_table, kInTable);
  put_bit(in_article, kInArticle);
  put_bit(in_form, kInForm);
  put_bit(in_pre, kInPre);
  put(beside_article, column, any_article_ && (block.context & kInArticle) == 0);
  put_place(navigation, kInNavigation, kNamedNavigation);
  put_place(margin, kInHeader | kInFooter, kNamedMargin);
  put_place(aside, kInAside, kNamedAside);
  put_bit(named_content, kNamedContent);
  put_bit(named_nearest, kNamedNearest);
  put(beside_named, column, any_named_ && (block.context & kNamedNearest) == 0);
  put(depth, column, block.depth);
  const Range run = structure_.run;
  const int run_depth =
      run.empty() ? block.depth : document_->extraction.blocks[document_->blocks[run.begin].source].depth;
  put(depth_below_run, column, static_cast<uint8_t>(std::clamp(block.depth - run_depth + 128, 0, 255)));
}

void BlockFeatures::put_position(size_t index, size_t column) {
  using enum BlockFeature;
  const DocumentBlock& block = document_->blocks[index];
  const Range run = structure_.run;
  put(before, column, share(width_before_, page_.width));
  width_before_ += block.width;
  put(blocks_before, column, log_scale(index));
  const bool any_run = !run.empty();
  put(in_run, column, any_run && index >= run.begin && index < run.end);
  put(ahead_of_run, column, any_run && index < run.begin ? log_scale(run.begin - index) : 0);
  put(behind_run, column, any_run && index >= run.end ? log_scale(index - run.end + 1) : 0);
  put(levels_to_best, column, containers_[current_.container].levels_to_best);
  put(since_heading, column, last_heading_ == SIZE_MAX ? 127 : log_scale(index - last_heading_));
  put(after_first_heading, column, first_heading_seen_);
  if (current_.heading_level != 0) last_heading_ = index;
  first_heading_seen_ |= current_.heading_level == 1;
  const bool has_title = title_heading_ != SIZE_MAX;
  put(title_heading, column,
      static_cast<uint8_t>(!has_title                ? 0
                           : index < title_heading_  ? 1
                           : index == title_heading_ ? 2
                                                     : 3));
  put(since_title, column, has_title && index > title_heading_ ? log_scale(index - title_heading_) : 0);
}

void BlockFeatures::put_neighbours(size_t index, size_t column) {
  using enum BlockFeature;
  put(last_width, column, last_.width);
  put(last_heading, column, last_.heading_level);
  put(next_width, column, next_.width);
  put(next_heading, column, next_.heading_level);
  const auto good_at = [this](size_t block) -> unsigned {
    return block < structure_.good.size() ? structure_.good[block] : 0;
  };
  put(good_near, column,
      static_cast<uint8_t>(good_at(index - 2) + last_.good + next_.good + good_at(index + 2)));
}

void BlockFeatures::put_container(size_t column) {
  using enum BlockFeature;
  if (!containers_[current_.container].is_shown) show(current_.container);
  const ContainerView& view = containers_[current_.container];
  put(own_width, column, view.own_width);
  put(own_link_share, column, view.own_link_share);
  put(own_good_share, column, view.own_good_share);
  put(own_blocks, column, view.own_blocks);
  put(score_share, column, view.score_share);
  put(outer_width, column, view.outer_width);
  put(outer_link_share, column, view.outer_link_share);
  put(outer_good_share, column, view.outer_good_share);
  put(outer_blocks, column, view.outer_blocks);
  put(outer_block_width, column, view.outer_block_width);
  put(outer_containers, column, view.outer_containers);
  put(third_link_share, column, view.third_link_share);
  put(third_good_share, column, view.third_good_share);
}

void BlockFeatures::put_page(size_t column) {
  using enum BlockFeature;
  put(page_blocks, column, page_blocks_);
  put(page_good, column, page_good_);
  put(page_link_share, column, page_link_share_);
  put(run_share, column, run_share_);
}

}  // namespace nd::text
