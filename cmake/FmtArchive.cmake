# Debian has no archive of fmt: fmt::fmt becomes that of scripts/portable-library, where there is one.
find_library(MKC_FMT_LIBRARY fmt REQUIRED)
get_target_property(_configurations fmt::fmt IMPORTED_CONFIGURATIONS)
foreach(_configuration ${_configurations})
  set_target_properties(fmt::fmt PROPERTIES IMPORTED_LOCATION_${_configuration} "${MKC_FMT_LIBRARY}")
endforeach()
