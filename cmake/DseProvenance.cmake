# The version and the git hash that a results file carries. A small header is written at every build, but touched
# only when the hash changes, so that a commit recompiles one source and no more.
set(dse_identity_dir "${PROJECT_BINARY_DIR}/generated")
set(dse_identity_command
  "${CMAKE_COMMAND}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DVERSION=${PROJECT_VERSION}"
  "-DHEADER=${dse_identity_dir}/dse_build_identity.hpp"
  -P "${PROJECT_SOURCE_DIR}/cmake/write_build_identity.cmake")
execute_process(COMMAND ${dse_identity_command})
add_custom_target(dse_build_identity COMMAND ${dse_identity_command}
  BYPRODUCTS "${dse_identity_dir}/dse_build_identity.hpp" COMMENT "")
add_dependencies(dse_results dse_build_identity)
target_include_directories(dse_results PRIVATE "${dse_identity_dir}")

# All that sources include and that is made by the build: enough for clang-tidy.
add_custom_target(generated)
add_dependencies(generated dse_build_identity)
