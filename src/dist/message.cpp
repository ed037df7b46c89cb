#include "dse/dist/message.hpp"

#include <algorithm>

namespace dse::dist {

Tally& Tally::operator+=(const Tally& other) {
    indices += other.indices;
    rows += other.rows;
    infeasible += other.infeasible;
    failures += other.failures;
    return *this;
}

void Message::set_text(std::string_view value) {
    text.fill('\0');
    std::copy_n(value.begin(), std::min(value.size(), text_bytes - 1), text.begin());
}

}  // namespace dse::dist
