#include "report/embedded.hpp"

// The assembler copies the files: a byte array in C++ would take the compiler a minute. CMake
// defines MKC_REPORT_FOLDER (the folder of the parts) and makes this file depend on them.
#define MKC_EMBED(name, file)                                                          \
  __asm__(                                                                             \
      ".section .rodata\n.balign 16"                                                   \
      "\n.global mkc_embedded_" #name "\nmkc_embedded_" #name                          \
      ":"                                                                              \
      "\n.incbin \"" MKC_REPORT_FOLDER "/" file                                        \
      "\""                                                                             \
      "\n.global mkc_embedded_" #name "_end\nmkc_embedded_" #name                      \
      "_end:"                                                                          \
      "\n.byte 0\n.previous\n");                                                       \
  extern "C" const char mkc_embedded_##name[];                                         \
  extern "C" const char mkc_embedded_##name##_end[];                                   \
  namespace mkc::report::embedded {                                                    \
  std::string_view name() { return {mkc_embedded_##name, mkc_embedded_##name##_end}; } \
  }

MKC_EMBED(page_template, "template.html")
MKC_EMBED(colours, "colours.css")
MKC_EMBED(style, "style.css")
MKC_EMBED(chart_library, "chart_library.js")
MKC_EMBED(script, "report.js")
