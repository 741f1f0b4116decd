// The inline content of a page, as the prefilter hands it on beside the parser.
#include "text/prefilter.hpp"

namespace nd::text {
namespace {

constexpr char kMarker = '<';

}  // namespace

// Whether an element that has just been opened, and has closed and implied nothing, is inline content.
bool Prefilter::is_inline(const StartTag& tag, ElementOpening& opening) {
  const Element element = known(tag.id);
  if (!with_runs_) return false;
  if (traits_of(element).flags != 0 || element == Element::kTitle) return false;
  opening.element = element;
  if (attributes_.empty()) return true;
  std::string_view origin;
  if (element != Element::kA || !attributes_.is_target_only(origin)) return false;
  opening.links = true;
  opening.same_site = targets_.is_own(origin);
  return true;
}

void Prefilter::leave_unwritten(const StartTag& tag, const ElementOpening& opening) {
  if (unwritten_.count == 0) unwritten_.below = open_.size() - 1;
  ++unwritten_.count;
  Opened& opened = opened_[open_.size()];
  opened.id = tag.id;
  opened.can_go = false;
  opened.name = tag.name;
  opened.opening = opening;
  drop(tag.behind);
}

// The innermost one is closed.
void Prefilter::end_unwritten() {
  if (unwritten_.begun == unwritten_.count) {
    runs_.add(InlineRuns::Kind::kClose);
    --unwritten_.begun;
  }
  --unwritten_.count;
}

// The parser has to see all start tags from here on.
void Prefilter::write_unwritten() {
  if (unwritten_.count == 0) return;
  flush(at_);
  // A link's target need not be written if the link is begun by a piece.
  for (uint32_t i = unwritten_.count; i > unwritten_.begun; --i) {
    if (opened_[unwritten_.below + i].opening.links) go_on_with_run();
  }
  work_ += 2 * uint64_t{unwritten_.count};
  for (uint32_t i = 1; i <= unwritten_.count; ++i) {
    out_.push_back('<');
    out_.append(opened_[unwritten_.below + i].name);
    out_.push_back('>');
  }
  unwritten_ = Unwritten{};
  after_text_ = false;
}

void Prefilter::begin_run(char marker) {
  flush(at_);
  out_.push_back(marker);
  runs_.begin_run();
  run_end_ = out_.size();
}

// Before a piece is added: outside the shell and titles.
void Prefilter::go_on_with_run() {
  if (run_end_ == 0 || run_end_ != written()) begin_run(kMarker);
  while (unwritten_.begun < unwritten_.count)
    runs_.add_opening(opened_[unwritten_.below + ++unwritten_.begun].opening);
}

void Prefilter::add_text(const char* begin, const char* end) {
  if (begin == end) return;
  block_begins_ = false;
  if (hides_text()) return;
  go_on_with_run();
  runs_.add_text({begin, static_cast<size_t>(end - begin)});
}

void Prefilter::add_character(uint32_t code_point) {
  block_begins_ = false;
  if (hides_text()) return;
  go_on_with_run();
  runs_.add_character(code_point);
}

}  // namespace nd::text
