# What nearly every source includes, and what takes longest to parse, compiled once, which saves a quarter of the work.
# Off, each source parses what it includes for itself, which also shows an include that is missing: the sanitized builds
# are made so.
option(DSE_PRECOMPILED "Compile the headers that nearly every source includes once" OFF)

# dse_add_precompiled(<name> <header...>): headers for sources that link dse_compile_options and fmt. A compiler takes
# them only where macros and code generation are the same: hence nothing else is linked but what states neither.
function(dse_add_precompiled name)
  if(NOT DSE_PRECOMPILED)
    return()
  endif()
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/generated/${name}.cpp" CONTENT "")
  add_library(${name} STATIC "${PROJECT_BINARY_DIR}/generated/${name}.cpp")
  target_link_libraries(${name} PRIVATE dse_compile_options fmt::fmt nlohmann_json::nlohmann_json)
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

# dse_use_precompiled(<target> <name>)
function(dse_use_precompiled target name)
  if(DSE_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

set(DSE_COMMON_HEADERS <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <numeric> <optional>
    <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h> <fmt/ranges.h>
    <nlohmann/json.hpp>)
dse_add_precompiled(dse_precompiled ${DSE_COMMON_HEADERS})
