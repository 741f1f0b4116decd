// Turns a stream of element and text events into the text, blocks, containers and anchors of an Extraction.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "core/memory.hpp"
#include "reading/extraction.hpp"
#include "reading/html.hpp"
#include "reading/html_elements.hpp"

namespace nd::text {

// What a start tag says besides its name.
struct ElementOpening {
  Element element = Element::kUnknown;
  uint16_t role_context = 0;    // BlockContext bits of its role, class and id
  bool hidden = false;          // by attribute
  bool is_shadow_root = false;  // a template that is shown in place of itself
  bool links = false;           // <a href>
  bool same_site = false;       // of its target
};

class BlockBuilder {
 public:
  // `out` is cleared, filled by the calls that follow, and complete after finish().
  void start(Extraction& out, const HtmlLimits& limits);
  void open(const ElementOpening& opening);
  // Whether the innermost open element takes a shadow root; it takes one.
  bool attach_shadow_root() noexcept { return std::exchange(scope_.takes_shadow_root, false); }
  // Ends must come innermost first.
  void close();
  // Ends the current block.
  void break_line();
  // Cutting a run of characters into several calls does not change the result; a character is never cut.
  void text(std::string_view characters);
  void finish();

  bool hidden() const noexcept { return scope_.hidden; }
  size_t depth() const noexcept { return outer_.size(); }
  // Whether a block with text has begun and not ended yet.
  bool in_block() const noexcept { return in_block_; }
  // Whether a limit prevents taking more text.
  bool full() const noexcept { return full_; }
  // Bytes of text received, the calls that passed them, and containers; since start().
  uint64_t work() const noexcept { return work_; }

 private:
  // The state inside the innermost open element.
  struct Scope {
    uint32_t container = 0;  // kPending: not needed by a block yet
    bool holds_blocks = false;
    uint16_t context = 0;
    uint8_t heading_level = 0;
    bool hidden = false;     // what is inside does not even separate blocks
    bool separates = false;  // closing the element ends a block
    bool links = false;      // closing the element ends a link
    bool takes_shadow_root = false;
    bool is_shadow_root = false;
  };
  struct Link {
    uint32_t anchor = kNoAnchor;
    bool same_site = false;
  };
  static constexpr uint32_t kNoAnchor = UINT32_MAX;
  static constexpr uint32_t kPending = UINT32_MAX;

  void take(std::string_view characters);
  bool begin_block();
  void end_block();
  void note_visible(size_t begin, size_t end);
  void create_containers();

  Extraction* out_ = nullptr;
  HtmlLimits limits_;
  Scope scope_;
  Vector<Scope> outer_;
  Vector<Link> links_;
  TextBlock block_{};
  bool in_block_ = false;
  bool full_ = false;
  size_t visible_end_ = 0;  // in out_->text: behind the last character of the block that is not white space
  uint32_t pending_linked_ = 0;  // linked bytes behind visible_end_
  uint64_t work_ = 0;
};

// Appends the text with every run of white space folded to one space, none at the front, up to `limit` bytes.
void append_folded(String& field, std::string_view text, size_t limit);

}  // namespace nd::text
