#include "results/inline_reason.hpp"

#include "dse/base/check.hpp"

namespace dse::results {
namespace {

bool continues_a_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

}  // namespace

std::string cut_reason(std::string_view reason) {
    DSE_EXPECT(is_cut(reason));
    constexpr std::string_view mark = "…";
    std::size_t length = inline_reason_bytes - mark.size();
    while (length > 0 && continues_a_character(reason[length])) --length;
    return std::string{reason.substr(0, length)} + std::string{mark};
}

}  // namespace dse::results
