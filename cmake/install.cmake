# What an installed copy holds. Nothing in it knows where it lies: it may be moved as a whole.
set(root "")
if(SKBUILD)  # a wheel, which Python unpacks into its environment: bin/tayra there starts at once, without Python
  set(root ${SKBUILD_DATA_DIR}/)
endif()
install(TARGETS tayra tayra-bench RUNTIME DESTINATION ${root}bin COMPONENT program)
install(DIRECTORY configs scripts/slurm DESTINATION ${root}share/tayra COMPONENT program)
install(FILES LICENSE DESTINATION ${root}share/doc/tayra COMPONENT program)
if(TAYRA_STATIC)  # The licences of what is inside want to be told, as Debian keeps them.
  get_target_property(muparser muparser::muparser LOCATION)
  install(FILES ${muparser} DESTINATION ${root}lib/tayra RENAME libmuparser.so.2 COMPONENT program)
  file(REAL_PATH ${OpenMP_gomp_LIBRARY} gomp)
  install(FILES ${gomp} DESTINATION ${root}lib/tayra RENAME libgomp.so.1 COMPONENT program)
  string(REGEX MATCH "^[0-9]+" gcc ${CMAKE_CXX_COMPILER_VERSION})
  foreach(package libhdf5-dev libaec-dev zlib1g-dev libyaml-cpp-dev libmuparser-dev libfmt-dev libcli11-dev
                  gcc-${gcc}-base)
    install(FILES /usr/share/doc/${package}/copyright DESTINATION ${root}share/doc/tayra/licences RENAME ${package}
            COMPONENT program OPTIONAL)
  endforeach()
endif()

# `tayra plot` and the like, which tayra finds in ../libexec. A wheel has them as Python installs them.
foreach(command plot render compare report watch)
  install(PROGRAMS python/installed_command.py DESTINATION libexec RENAME tayra-${command} COMPONENT python)
endforeach()
install(DIRECTORY python/tayra DESTINATION share/tayra/python COMPONENT python
        FILES_MATCHING PATTERN "*.py" PATTERN "page/*")
