include(GNUInstallDirs)
if(TARGET dse)
  install(TARGETS dse RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
