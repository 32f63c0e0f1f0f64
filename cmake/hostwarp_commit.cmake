# hostwarp_commit.h, which has the commit that is built: a script that every build runs (`cmake -P`), and that changes the
# header only where the commit does. Empty where the sources are no clone; -DHOSTWARP_COMMIT=... says it then.
if(NOT DEFINED HEADER)
  set(HOSTWARP_COMMIT "" CACHE STRING "The commit that `hostwarp --version` tells; empty: what git says")
  set(hostwarp_commit_folder ${PROJECT_BINARY_DIR}/generated)
  add_custom_target(hostwarp_commit
    COMMAND ${CMAKE_COMMAND} -DHEADER=${hostwarp_commit_folder}/hostwarp_commit.h -DSOURCE=${PROJECT_SOURCE_DIR}
            -DCOMMIT=${HOSTWARP_COMMIT} -P ${CMAKE_CURRENT_LIST_FILE}
    BYPRODUCTS ${hostwarp_commit_folder}/hostwarp_commit.h
    VERBATIM)
  return()
endif()

if(NOT COMMIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git -C ${SOURCE} describe --always --dirty=-changed --abbrev=10 --exclude=*
                  OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(text "#define HOSTWARP_COMMIT \"${COMMIT}\"\n")
if(EXISTS ${HEADER})
  file(READ ${HEADER} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${HEADER} "${text}")
endif()
