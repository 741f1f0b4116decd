// The page of figures, by the Python program that is installed beside the tables' program.
#pragma once

#include <string>

namespace nd::eval {

// Runs draw.py, which is installed at a fixed place seen from the program's own folder (../share/ndc/eval),
// with the interpreter that the environment variable NDC_PYTHON names, else with the first of python3 and
// /usr/bin/python3 that has matplotlib. Says on standard error where the page is, or what is missing: where
// no interpreter has matplotlib the tables are all there is, and that is no failure. False: the program is
// not where it belongs, or failed.
bool draw_figures(const std::string& folder);

}  // namespace nd::eval
