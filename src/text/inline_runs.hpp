// Inline content that the parser is not shown. What stands between two tags that the prefilter writes (text,
// line breaks, elements that neither separate blocks nor hide anything) is kept here as a run of pieces, and
// one byte of the smaller page, the marker, stands for the whole run: decoding text one character at a time
// and keeping its list of open elements is what a parser spends most of its time on.
//
// Outside a title every byte of text that is not blank is a marker, the next run's. So no page can write one.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "text/block_builder.hpp"

namespace nd::text {

// Threads: one object, one thread at a time. Keeps its memory from page to page.
class InlineRuns {
 public:
  enum class Kind : uint8_t {
    kText,       // of the page, as written
    kCharacter,  // that a reference stands for
    kOpen,       // an element begins
    kClose,      // the innermost element that a piece of this run has begun ends
    kBreak,      // what is before and what is behind stand in two blocks
  };
  struct Piece {
    const char* text = nullptr;
    uint32_t size = 0;  // kText: bytes; kCharacter: the code point
    Kind kind = Kind::kText;
    Element element = Element::kUnknown;
    bool links = false;
    bool same_site = false;
  };
  // What there was at some time, to go back to.
  struct Mark {
    size_t runs = 0;
    size_t pieces = 0;
  };

  void clear() noexcept {
    begins_.clear();
    pieces_.clear();
  }
  void begin_run() { begins_.push_back(static_cast<uint32_t>(pieces_.size())); }
  // To the last run, a piece with what stands before it in the page. Text stays where it is, until the run
  // has been read; it is below 4 GB.
  void add_text(std::string_view text) {
    if (pieces_.size() > begins_.back()) {
      Piece& last = pieces_.back();
      if (last.kind == Kind::kText && last.text + last.size == text.data()) {
        last.size += static_cast<uint32_t>(text.size());
        return;
      }
    }
    pieces_.push_back(Piece{.text = text.data(), .size = static_cast<uint32_t>(text.size())});
  }
  void add_character(uint32_t code_point) {
    pieces_.push_back(Piece{.size = code_point, .kind = Kind::kCharacter});
  }
  void add_opening(const ElementOpening& opening) {
    pieces_.push_back(Piece{.kind = Kind::kOpen,
                            .element = opening.element,
                            .links = opening.links,
                            .same_site = opening.same_site});
  }
  void add(Kind kind) { pieces_.push_back(Piece{.kind = kind}); }

  Mark mark() const noexcept { return {begins_.size(), pieces_.size()}; }
  void go_back(const Mark& mark) {
    begins_.resize(mark.runs);
    pieces_.resize(mark.pieces);
  }

  uint64_t memory_bytes() const noexcept {
    return begins_.capacity() * sizeof(uint32_t) + pieces_.capacity() * sizeof(Piece);
  }
  void release() noexcept {
    Vector<uint32_t>().swap(begins_);
    Vector<Piece>().swap(pieces_);
  }

  size_t size() const noexcept { return begins_.size(); }
  size_t piece_count() const noexcept { return pieces_.size(); }
  std::span<const Piece> operator[](size_t run) const noexcept {
    const size_t end = run + 1 < begins_.size() ? begins_[run + 1] : pieces_.size();
    return std::span<const Piece>(pieces_).subspan(begins_[run], end - begins_[run]);
  }

 private:
  Vector<uint32_t> begins_;  // of each run, in pieces_
  Vector<Piece> pieces_;
};

}  // namespace nd::text
