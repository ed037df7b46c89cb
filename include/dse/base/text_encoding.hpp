#pragma once

#include <string_view>

namespace dse {

/// UTF-8 text without the mark that spreadsheets and editors may begin it with.
std::string_view without_byte_order_mark(std::string_view text);

/// Whether text begins with the mark of UTF-16.
bool is_utf16(std::string_view text);

}  // namespace dse
