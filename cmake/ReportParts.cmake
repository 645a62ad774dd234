# mkc_embed_report(target source): the page (report/) and the chart library become part of `source`.
# The library is fetched once by scripts/chart-library, for all build folders of this tree.
set(MKC_CHART_LIBRARY "${PROJECT_SOURCE_DIR}/build/downloads/echarts.min.js" CACHE FILEPATH
    "Chart library of the report; fetched there where it is not")

function(mkc_embed_report target source)
  set(_page "${PROJECT_SOURCE_DIR}/report")
  set(_parts "${PROJECT_BINARY_DIR}/report")
  # One script, each file before those that use it.
  set(_scripts text figure matrix summary missing kernels curves relations trust samples clusters survival completion methods
               labels evaluation advice main)
  list(TRANSFORM _scripts PREPEND "${_page}/")
  list(TRANSFORM _scripts APPEND ".js")
  set(_copied "${_page}/template.html" "${_page}/colours.css" "${_page}/style.css")
  set(_made "${_parts}/report.js" "${_parts}/chart_library.js" "${_parts}/template.html"
            "${_parts}/colours.css" "${_parts}/style.css")
  add_custom_command(
    OUTPUT "${_parts}/chart_library.js"
    COMMAND "${PROJECT_SOURCE_DIR}/scripts/chart-library" "${MKC_CHART_LIBRARY}"
    COMMAND "${CMAKE_COMMAND}" -E copy "${MKC_CHART_LIBRARY}" "${_parts}/chart_library.js"
    DEPENDS "${PROJECT_SOURCE_DIR}/scripts/chart-library"
    COMMENT "Chart library of the report" VERBATIM)
  add_custom_command(
    OUTPUT "${_parts}/report.js"
    COMMAND "${CMAKE_COMMAND}" -E cat ${_scripts} > "${_parts}/report.js"
    DEPENDS ${_scripts}
    COMMENT "Script of the report" VERBATIM)
  add_custom_command(
    OUTPUT "${_parts}/template.html" "${_parts}/colours.css" "${_parts}/style.css"
    COMMAND "${CMAKE_COMMAND}" -E copy ${_copied} "${_parts}"
    DEPENDS ${_copied}
    COMMENT "Page of the report" VERBATIM)
  set_source_files_properties("${source}" PROPERTIES
    OBJECT_DEPENDS "${_made}" COMPILE_DEFINITIONS "MKC_REPORT_FOLDER=\"${_parts}\""
    SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE ${_made})
endfunction()
