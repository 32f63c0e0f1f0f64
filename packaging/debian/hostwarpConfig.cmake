# find_package(hostwarp) looks here; the package is where its installation is.
include("${CMAKE_CURRENT_LIST_DIR}/../../hostwarp/lib/cmake/hostwarp/hostwarpConfig.cmake")
