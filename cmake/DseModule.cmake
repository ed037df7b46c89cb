# dse_add_module(<name> DEPENDS <lower modules...> LINKS <third-party targets...>)
#
# One module: folder = namespace = target dse::<name> = test folder. Sources come from src/<name>, public headers
# from include/dse/<name>. Third-party libraries stay private to the module that owns them, except base's:
# fmt stands in its public headers.
#
# A part of a module is added before it, as <module>/<part>, and is the target dse::<module>_<part>; the module then
# depends on its parts and owns what is left of its folder.
define_property(GLOBAL PROPERTY DSE_FLOORS BRIEF_DOCS "module: modules it may include")
define_property(GLOBAL PROPERTY DSE_MODULES BRIEF_DOCS "every module, lowest floor first")

function(dse_add_module path)
  string(REPLACE "/" "_" name "${path}")
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINKS" ${ARGN})
  string(REPLACE ";" " " allowed "${ARG_DEPENDS}")
  set_property(GLOBAL APPEND PROPERTY DSE_FLOORS "${path}: ${allowed}")
  set_property(GLOBAL APPEND PROPERTY DSE_MODULES "${name}")

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${path}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/src/app/main\\.cpp$")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/dse/${path}/*.hpp"
       "${PROJECT_SOURCE_DIR}/include/dse/${path}/*.def")
  foreach(part IN LISTS ARG_DEPENDS)
    list(FILTER sources EXCLUDE REGEX "/src/${part}/")
    list(FILTER headers EXCLUDE REGEX "/include/dse/${part}/")
  endforeach()

  if(sources)
    add_library(dse_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(dse_${name} PRIVATE $<BUILD_INTERFACE:dse_compile_options> ${ARG_LINKS})
    dse_use_precompiled(dse_${name} dse_precompiled)
    dse_unite(dse_${name} "${PROJECT_SOURCE_DIR}/src" ${sources})
  else()
    add_library(dse_${name} INTERFACE)
    set(scope INTERFACE)
    target_link_libraries(dse_${name} INTERFACE ${ARG_LINKS})
  endif()
  add_library(dse::${name} ALIAS dse_${name})
  set_target_properties(dse_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(dse_${name} ${scope} cxx_std_20)
  target_sources(dse_${name} ${scope} FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${headers})
  target_include_directories(dse_${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  if(sources)
    target_include_directories(dse_${name} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  endif()
  if(name STREQUAL "base")
    target_link_libraries(dse_${name} ${scope} fmt::fmt)
  endif()
  foreach(dependency IN LISTS ARG_DEPENDS)
    string(REPLACE "/" "_" dependency "${dependency}")
    if(NOT TARGET dse_${dependency})
      message(FATAL_ERROR "module '${path}' depends on '${dependency}', which stands on no lower floor")
    endif()
    target_link_libraries(dse_${name} ${scope} dse::${dependency})
  endforeach()
endfunction()

# dse_add_protocol(<module> <file under src/<module>>): messages of protobuf, compiled at build; the module's sources
# include <file>.pb.h by its path under src/<module>.
function(dse_add_protocol module file)
  set(source "${PROJECT_SOURCE_DIR}/src/${module}/${file}")
  set(folder "${PROJECT_BINARY_DIR}/generated/${module}")
  string(REGEX REPLACE "\\.proto$" "" stem "${folder}/${file}")
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(OUTPUT "${stem}.pb.cc" "${stem}.pb.h"
    COMMAND protobuf::protoc "--proto_path=${PROJECT_SOURCE_DIR}/src/${module}" "--cpp_out=${folder}" "${source}"
    DEPENDS "${source}" protobuf::protoc VERBATIM)
  # What protoc writes is not ours to warn of.
  set_source_files_properties("${stem}.pb.cc" PROPERTIES COMPILE_OPTIONS "-w" SKIP_PRECOMPILE_HEADERS ON
                              SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(dse_${module} PRIVATE "${stem}.pb.cc")
  add_custom_target(dse_${module}_protocol DEPENDS "${stem}.pb.cc" "${stem}.pb.h")
  add_dependencies(generated dse_${module}_protocol)
  target_include_directories(dse_${module} SYSTEM PRIVATE "${folder}")
endfunction()

# The table of floors, for tests/architecture/check_floors.py.
function(dse_write_floors)
  get_property(floors GLOBAL PROPERTY DSE_FLOORS)
  list(JOIN floors "\n" text)
  file(WRITE "${PROJECT_BINARY_DIR}/floors.txt" "${text}\n")
endfunction()
