// The page of figures, by the Python program that is installed beside the tables' program.
#pragma once

#include <string>

namespace nd::eval {

// Runs ../share/ndc/eval/draw.py, seen from the program's own folder, with the first interpreter that has
// matplotlib: of the environment variable NDC_PYTHON, python3, /usr/bin/python3. Says on standard error where
// the page is, or what is missing: where no interpreter has matplotlib the tables are all there is, and that
// is no failure. False: the program is not where it belongs, or failed.
bool draw_figures(const std::string& folder);

}  // namespace nd::eval
