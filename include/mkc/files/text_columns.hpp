#pragma once

#include "mkc/files/read_options.hpp"

namespace mkc::io {

/// A column of texts in a table in memory.
struct TextColumn {
  Index column;            // of the values of its view
  Strings cells;           // one per row; "" and NA are missing
  bool is_factor = false;  // its texts are words, also where they are numbers
};

/// Reads columns of texts as those of a text table are read (docs/reference/views.md): numbers,
/// categories, dates, or left out. The columns of the view that stay, as they were counted before.
/// InputError where a column holds numbers beside words.
Indices read_text_columns(View& view, const std::vector<TextColumn>& columns,
                          const ReadOptions& options);

}  // namespace mkc::io
