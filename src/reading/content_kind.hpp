// The kind of a body: markup, plain text, or something without text.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace nd::text {

enum class ContentKind : uint8_t { kHtml, kPlainText, kNone };

// The background is the WHATWG MIME Sniffing Standard; unlike a browser, a crawler has nothing to lose by
// looking past a wrong header, and much text to lose by believing it. The first rule that fits decides:
//
// 1. An empty body is kNone.
// 2. A body that starts like a known binary format (images, audio, video, fonts, archives, office documents,
//    PDF, PostScript, programs), or whose first 2,048 bytes are not text, is kNone whatever was declared.
//    Text has no "binary data bytes" (MIME Sniffing, section 3: C0 controls except TAB, LF, FF, CR, ESC)
//    beyond one in 16 (bytes without any order have 10 %); four are always forgiven, because pages do hold
//    stray NULs. In a UTF-16 body the zero halves of its characters do not
//    count; with a mark, or the charset declared in the header, no control does.
// 3. A body that starts like an HTML document ("<!doctype html" or "<html" behind a byte order mark, white
//    space, comments and an XML declaration) is kHtml whatever was declared: servers send pages as
//    text/plain, application/octet-stream, image/gif.
// 4. The declared type: text/html, application/xhtml+xml and all of XML (text/xml, application/xml, +xml) but
//    image/svg+xml are kHtml; other text/ types and the textual ones of application/ (JSON, JavaScript, YAML
//    and their like) are kPlainText; every other type is kNone.
//    Of several types that the header names the last counts, but one that may hold text before one that holds
//    none: what it says is checked by 2 and 3.
// 5. Without a media type, or with one that says nothing (unknown/unknown, application/unknown): kHtml if a
//    tag, comment or declaration starts within the first 512 bytes, else kPlainText.
//
// `content_type`: the header's value, may be empty; of its parameters only a charset of UTF-16 counts.
// Threads: any. Cost: a scan of at most 2 KB.
ContentKind content_kind(std::span<const uint8_t> body, std::string_view content_type) noexcept;

}  // namespace nd::text
