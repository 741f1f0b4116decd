# ndc_find_tool(VARIABLE PROGRAM PACKAGE REASON): the path of a program of Debian's PACKAGE, or a sentence and no build.
function(ndc_find_tool variable program package reason)
  find_program(${variable} ${program})
  if(NOT ${variable})
    message(FATAL_ERROR "${program} was not found: ${reason}. "
      "Install it (Debian: apt-get install ${package}, or scripts/install-dependencies --tests).")
  endif()
endfunction()
