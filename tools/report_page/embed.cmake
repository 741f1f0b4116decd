# Writes OUT, a C++ file with the files of this folder in it: cmake -DOUT=... -DSCRIPTS=a.js,b.js -P embed.cmake
cmake_minimum_required(VERSION 3.25)
set(folder ${CMAKE_CURRENT_LIST_DIR})
string(REPLACE "," ";" scripts "${SCRIPTS}")

function(append_literal name)
  set(text "")
  foreach(file IN LISTS ARGN)
    file(READ ${folder}/${file} content)
    # A literal of its own for each file: compilers bound their length.
    string(APPEND text "\n    R\"page(${content})page\"")
  endforeach()
  set(generated "${generated}const std::string_view ${name} =${text};\n\n" PARENT_SCOPE)
endfunction()

set(generated "// Made by tools/report_page/embed.cmake.\n#include \"report_folder.hpp\"\n\nnamespace ndc {\n\n")
append_literal(kReportBody body.html)
append_literal(kReportStyle report.css)
append_literal(kReportScript ${scripts})
string(APPEND generated "}  // namespace ndc\n")
file(WRITE ${OUT} "${generated}")
