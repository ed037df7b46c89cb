# cmake -DSOURCE_DIR= -DVERSION= -DHEADER= -P: writes HEADER if its content would change.
find_program(GIT git)
set(hash "")
if(GIT)
  execute_process(COMMAND "${GIT}" describe --always --dirty --abbrev=12 --exclude=*
    WORKING_DIRECTORY "${SOURCE_DIR}" OUTPUT_VARIABLE hash OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT hash)
  set(hash "unknown")
endif()
set(text "#pragma once

namespace dse::results::build_identity {
inline constexpr char version[] = \"${VERSION}\";
inline constexpr char git_hash[] = \"${hash}\";
}  // namespace dse::results::build_identity
")
set(old "")
if(EXISTS "${HEADER}")
  file(READ "${HEADER}" old)
endif()
if(NOT old STREQUAL text)
  file(WRITE "${HEADER}" "${text}")
endif()
