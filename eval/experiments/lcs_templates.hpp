// What the report's rule against fingerprints of boilerplate (section 4.2) has to be in a small collection.
#pragma once

#include "collection.hpp"
#include "lcs_inputs.hpp"
#include "table.hpp"

namespace nd::eval::partition {

// Table `lcs_templates`.
Table compare_template_rules(const Collection& collection, const Input& input);

}  // namespace nd::eval::partition
