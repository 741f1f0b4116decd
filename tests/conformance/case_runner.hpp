// Runs one case of cases.json through ndcapi.h, in an engine in memory.
#pragma once

#include "conformance/case_record.hpp"

namespace nd_test {

// Nothing, if the library does what the case says and every member of the case was understood.
Faults run_case(const Json& test_case);

}  // namespace nd_test
