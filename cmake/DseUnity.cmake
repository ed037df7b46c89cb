# With DSE_UNITY the sources of one folder are compiled as one, and the small folders of a module as one, which takes a
# quarter of the work from scratch: headers are parsed and templates instantiated once a unit. Without, each source is
# compiled alone, which also shows an include that is missing and makes an edit cheap: the preset `dev` is made so, and
# clang-tidy reads that.

# Folders of at most so many sources share a unit; larger ones have their own, which bounds the compiler's memory.
set(DSE_SMALL_FOLDER 20)

# dse_unite(<target> <root> <source...>): the names of a module's sources, unnamed namespaces included, must differ.
function(dse_unite target root)
  if(NOT DSE_UNITY)
    return()
  endif()
  foreach(source IN LISTS ARGN)
    dse_folder_of("${source}" "${root}" folder)
    list(APPEND sources_${folder} "${source}")
    list(APPEND folders ${folder})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH sources_${folder} size)
    set(group ${folder})
    if(size LESS_EQUAL DSE_SMALL_FOLDER)
      set(group ${target}_small)
    endif()
    set_source_files_properties(${sources_${folder}} PROPERTIES UNITY_GROUP "${group}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# dse_optimize(<target> <option> [<source or folder below the module's>...]): optimizes a Release build of a module less
# than the others; with sources, these only, in a unit of their own.
function(dse_optimize target option)
  set(option "$<$<CONFIG:Release>:${option}>")
  if(NOT ARGN)
    target_compile_options(${target} PRIVATE ${option})
    return()
  endif()
  string(REGEX REPLACE "^dse_" "" module "${target}")
  get_target_property(sources ${target} SOURCES)
  set(chosen "")
  foreach(part IN LISTS ARGN)
    set(these ${sources})
    list(FILTER these INCLUDE REGEX "/src/${module}/${part}(/.*)?$")
    if(NOT these)
      message(FATAL_ERROR "dse_optimize: ${target} has no source '${part}'")
    endif()
    list(APPEND chosen ${these})
  endforeach()
  if(DSE_UNITY)
    # Sources with options of their own are not united: hence the options are those of the unit.
    set_source_files_properties(${chosen} PROPERTIES UNITY_GROUP ${target}_cold)
    set(chosen "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${target}_cold_cxx.cxx")
  endif()
  set_source_files_properties(${chosen} PROPERTIES COMPILE_OPTIONS "${option}")
endfunction()

# dse_unite_tests(<name> <result> <root> <source...>): the same of tests, whose helpers may have the same names.
function(dse_unite_tests name result root)
  if(NOT DSE_UNITY)
    set(${result} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
  set(folders "")
  foreach(source IN LISTS ARGN)
    dse_folder_of("${source}" "${root}" folder)
    list(APPEND folders ${folder})
    list(APPEND sources_${folder} "${source}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  set(united "")
  foreach(folder IN LISTS folders)
    set(file "${CMAKE_CURRENT_BINARY_DIR}/united/${folder}.cpp")
    add_custom_command(OUTPUT "${file}" COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/unite.py" "${file}"
      ${sources_${folder}} DEPENDS ${sources_${folder}} "${PROJECT_SOURCE_DIR}/tests/unite.py" COMMENT "" VERBATIM)
    list(APPEND united "${file}")
  endforeach()
  file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/united")
  # A target that needs nothing: else they would wait for the libraries that the tests link.
  add_custom_target(${name}_united DEPENDS ${united})
  set(${result} ${united} PARENT_SCOPE)
endfunction()

# dse_folder_of(<source> <root> <result>): the folder below root, as one word.
function(dse_folder_of source root result)
  cmake_path(GET source PARENT_PATH folder)
  cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${root}")
  string(MAKE_C_IDENTIFIER "${folder}" folder)
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()
