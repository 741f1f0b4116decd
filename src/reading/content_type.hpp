// What a Content-Type header declares: its media type and charset, however a server has written them.
#pragma once

#include <string_view>

namespace nd::text {

// The next of a header's values, which commas separate (Fetch, 2.2.2, "get, decode, and split"): a comma
// within quotes separates nothing. Removes it from `values` together with its comma.
std::string_view take_header_value(std::string_view& values) noexcept;

// "text/html" of " Text/HTML ; charset=...", in the letters of the header: MIME Sniffing, 4.4, "parse a MIME
// type", as far as its essence. Empty if `value` is no media type, as `text/html charset=utf-8`,
// `"text/html"` and `text / html` are none, or is a range of them ("*/*", "text/*"), which names none.
std::string_view media_type_essence(std::string_view value) noexcept;

// The label behind "charset" and "=" or ":", without quotes of either kind, closed or not: headers that are
// no media type tell the charset all the same. Empty if there is none.
std::string_view declared_charset(std::string_view content_type) noexcept;

// All borrow from their argument. Threads: any. Cost: a scan of the header.

}  // namespace nd::text
