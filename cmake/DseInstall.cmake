# The install target: the program, its data (share/dse), and every module for find_package(dse).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(TARGET dse)
  install(TARGETS dse RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()

get_property(modules GLOBAL PROPERTY DSE_MODULES)
list(TRANSFORM modules PREPEND "dse_")
install(TARGETS ${modules} EXPORT dse-targets FILE_SET HEADERS)

set(dse_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/dse")
install(EXPORT dse-targets NAMESPACE dse:: DESTINATION "${dse_cmake_dir}")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/dse-config.cmake.in" "${PROJECT_BINARY_DIR}/dse-config.cmake"
                              INSTALL_DESTINATION "${dse_cmake_dir}" PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/dse-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/dse-config.cmake" "${PROJECT_BINARY_DIR}/dse-config-version.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/DseDependencies.cmake"
        DESTINATION "${dse_cmake_dir}")

foreach(folder IN ITEMS workloads hardware sweeps schemas analysis)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}" DESTINATION "${CMAKE_INSTALL_DATADIR}/dse"
          COMPONENT program PATTERN "__pycache__" EXCLUDE)
endforeach()
