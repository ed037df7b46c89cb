# How every target of dse is compiled: the standard, the warnings, and what determinism demands.

option(DSE_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(DSE_WERROR "Warnings are errors: for those who work on dse, not for those who only build it" OFF)
option(DSE_UNITY "Compile the sources of a folder as one" OFF)
option(DSE_BUILD_BENCHMARKS "Build the benchmarks of tests/bench" OFF)
set(DSE_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them: address,undefined or thread")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Each public header compiled alone: target `all_verify_interface_header_sets`.
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON)

find_program(DSE_CCACHE ccache)
if(DSE_CCACHE)
  # Precompiled headers are cached only where the user says that their time stamps and macros do not matter.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${DSE_CCACHE}")
endif()

add_library(dse_compile_options INTERFACE)
# -ffp-contract=off: a fused multiply-add would make one machine's seconds differ from another's.
target_compile_options(dse_compile_options INTERFACE -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Wold-style-cast
                       -ffp-contract=off)
# Messages name sources from the project's root, whichever clone they come from: ccache then works across clones.
target_compile_options(dse_compile_options INTERFACE "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
# Sources compiled as one shadow each other's names, and seem headers to GCC: the warnings of each source alone are
# the preset `dev`'s, and clang-tidy's.
if(NOT DSE_UNITY)
  target_compile_options(dse_compile_options INTERFACE -Wshadow)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(dse_compile_options INTERFACE -Wshadow=local -Wno-subobject-linkage)
endif()
if(DSE_WERROR)
  target_compile_options(dse_compile_options INTERFACE -Werror)
endif()
# GCC 12 warns of overlapping copies inside std::string where there are none (GCC bug 105651), and of more of the kind
# where it has the header precompiled and forgets that it is the system's.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(dse_compile_options INTERFACE -Wno-restrict
                         $<$<BOOL:${DSE_PRECOMPILED}>:-Wno-array-bounds> $<$<BOOL:${DSE_PRECOMPILED}>:-Wno-stringop-overflow>)
endif()
if(DSE_SANITIZE)
  target_compile_options(dse_compile_options INTERFACE -fsanitize=${DSE_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(dse_compile_options INTERFACE -fsanitize=${DSE_SANITIZE})
endif()
