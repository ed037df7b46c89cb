#include "app/rank_choice.hpp"

#include <charconv>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::app {
namespace {

std::int64_t parse_rank(std::string_view text, std::string_view whole, std::int64_t ranks,
                        std::string_view what) {
    std::int64_t rank = -1;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, rank);
    if (result.ec != std::errc{} || result.ptr != end || text.empty() || text.front() == '-') {
        throw InputError(
            fmt::format("'{}' are not {}s: '{}' is not a number (all{}, or a list as in 0,8,16-23)", whole,
                        what, text, what == "rank" ? ", classes" : ""));
    }
    if (rank >= ranks)
        throw InputError(fmt::format("there is no {0} {1}: {0}s are 0 to {2}", what, rank, ranks - 1));
    return rank;
}

}  // namespace

std::vector<std::int64_t> parse_ranks(const std::string& text, std::int64_t ranks, const std::string& what) {
    std::set<std::int64_t> result;
    const std::string_view whole{text};
    for (std::size_t begin = 0; begin <= whole.size();) {
        const std::size_t end = std::min(whole.find(',', begin), whole.size());
        const std::string_view part = whole.substr(begin, end - begin);
        const std::size_t dash = part.find('-');
        const std::int64_t first = parse_rank(part.substr(0, dash), whole, ranks, what);
        const std::int64_t last =
            dash == std::string_view::npos ? first : parse_rank(part.substr(dash + 1), whole, ranks, what);
        if (last < first)
            throw InputError(fmt::format("'{}' are not {}s: {} comes after {}", part, what, first, last));
        for (std::int64_t rank = first; rank <= last; ++rank) result.insert(result.end(), rank);
        begin = end + 1;
    }
    return {result.begin(), result.end()};
}

}  // namespace dse::app
