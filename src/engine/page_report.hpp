// What ndc sees of a page, as JSON (ndcapi.h, nd_extract).
#pragma once

#include "core/result.hpp"
#include "page/features.hpp"
#include "text/document.hpp"

namespace nd::engine {

Result<void> write_page_report(const text::Document& document, const Features& features, String& json);

}  // namespace nd::engine
