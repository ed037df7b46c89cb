#include "dse/base/text_encoding.hpp"

namespace dse {

std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view mark = "\xef\xbb\xbf";
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
    return text;
}

bool is_utf16(std::string_view text) {
    return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

}  // namespace dse
