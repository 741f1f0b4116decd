# The Java modules: Maven compiles and packages all of them at build time; ctest runs their JUnit classes without it.

find_package(Java 17 REQUIRED COMPONENTS Development)
include(NdcTools)
ndc_find_tool(NDC_MAVEN mvn maven "it builds the Java modules, which -DNDC_BUILD_JAVA=OFF leaves out")

# JVMs that run tests of the binding beside the one that builds: what is loaded into them is the same, what they
# allow is not.
file(GLOB ndc_installed_jvms /usr/lib/jvm/*/bin/java)
set(NDC_JAVA_RUNTIMES "${ndc_installed_jvms}" CACHE STRING
  "Programs java of other versions, to test the Java binding with")

set(ndc_java_output ${PROJECT_BINARY_DIR}/java)
set(ndc_java_modules bindings/java plugins/nutch plugins/heritrix plugins/stormcrawler plugins/spark plugins/kafka)

# ndc_java_build(NATIVE): target ndc_java, which runs Maven whenever a source, a pom or the bundle of native libraries,
# whose stamp NATIVE is, has changed.
function(ndc_java_build native)
  set(sources ${PROJECT_SOURCE_DIR}/pom.xml)
  foreach(module IN LISTS ndc_java_modules)
    file(GLOB_RECURSE module_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${module}/src/*)
    list(APPEND sources ${PROJECT_SOURCE_DIR}/${module}/pom.xml ${module_sources})
  endforeach()
  list(FILTER sources EXCLUDE REGEX "\\.(cpp|hpp|map)$")
  add_custom_command(
    OUTPUT ${ndc_java_output}/packaged
    # Maven only adds: libraries of an earlier build would stay in the jar, and jars of an earlier version beside
    # those of this one.
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${ndc_java_output}/ndc/classes/io/ndc/native
    ${ndc_java_output}/ndc/classes/META-INF
      ${ndc_java_output}/ndc-spark/lib
    COMMAND ${PROJECT_SOURCE_DIR}/cmake/run-maven ${NDC_MAVEN} --quiet --file ${PROJECT_SOURCE_DIR}/pom.xml
      -Dndc.build.directory=${ndc_java_output} -DskipTests package
    COMMAND ${CMAKE_COMMAND} -E touch ${ndc_java_output}/packaged
    DEPENDS ${sources} ${native}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMENT "Packaging the Java modules"
    USES_TERMINAL
    VERBATIM)
  add_custom_target(ndc_java ALL DEPENDS ${ndc_java_output}/packaged)
endfunction()

# ndc_java_other_tests(ARTIFACT CLASS…): tests java.ARTIFACT.on_VERSION.CLASS, with one JVM of each version in
# NDC_JAVA_RUNTIMES that is another one than that of the build, and not older.
function(ndc_java_other_tests artifact)
  set(versions ${Java_VERSION_MAJOR})
  foreach(java IN LISTS NDC_JAVA_RUNTIMES)
    execute_process(COMMAND ${java} -version OUTPUT_QUIET ERROR_VARIABLE said)
    if(NOT said MATCHES "version \"([0-9]+)" OR CMAKE_MATCH_1 IN_LIST versions OR CMAKE_MATCH_1 LESS Java_VERSION_MAJOR)
      continue()
    endif()
    set(version ${CMAKE_MATCH_1})
    list(APPEND versions ${version})
    foreach(class IN LISTS ARGN)
      string(REGEX REPLACE ".*\\." "" name ${class})
      add_test(NAME java.${artifact}.on_${version}.${name}
        COMMAND ${PROJECT_SOURCE_DIR}/cmake/run-java-test ${java} ${ndc_java_output}/${artifact} ${class}
          -Dndc.source.directory=${PROJECT_SOURCE_DIR} -Dndc.build.directory=${PROJECT_BINARY_DIR}
          --enable-native-access=ALL-UNNAMED)
      set_tests_properties(java.${artifact}.on_${version}.${name} PROPERTIES TIMEOUT 300)
    endforeach()
  endforeach()
endfunction()

# ndc_java_tests(ARTIFACT FOLDER [TIMEOUT seconds] [JVM argument…]): each class FOLDER/src/test/java/**/*Test.java is
# one ctest test, java.ARTIFACT.CLASS. The properties ndc.source.directory and ndc.build.directory say where it is.
function(ndc_java_tests artifact folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "TIMEOUT" "JVM")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set(root ${PROJECT_SOURCE_DIR}/${folder}/src/test/java)
  file(GLOB_RECURSE tests CONFIGURE_DEPENDS RELATIVE ${root} ${root}/*Test.java)
  foreach(test IN LISTS tests)
    string(REGEX REPLACE "\\.java$" "" class ${test})
    string(REPLACE "/" "." class ${class})
    string(REGEX REPLACE ".*\\." "" name ${class})
    add_test(NAME java.${artifact}.${name}
      COMMAND ${PROJECT_SOURCE_DIR}/cmake/run-java-test ${Java_JAVA_EXECUTABLE} ${ndc_java_output}/${artifact} ${class}
        -Dndc.source.directory=${PROJECT_SOURCE_DIR} -Dndc.build.directory=${PROJECT_BINARY_DIR} ${arg_JVM})
    set(timeout ${arg_TIMEOUT})
    if(name MATCHES "Corpus")
      set(timeout 1500)  # crawls a whole corpus
    endif()
    # A class that was disabled says so here too, and not "passed"; one that failed as well has failed.
    set(class_skipped "[1-9][0-9]* containers skipped.* 0 containers failed .* 0 tests failed")
    set(tests_skipped "0 containers failed .*[1-9][0-9]* tests skipped.* 0 tests failed")
    set_tests_properties(java.${artifact}.${name} PROPERTIES TIMEOUT ${timeout}
      SKIP_REGULAR_EXPRESSION "${class_skipped}; ${tests_skipped}")
  endforeach()
endfunction()
