#include "dse/model/compute/learned/release_order.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <system_error>
#include <vector>

#include "dse/base/check.hpp"

namespace dse::model {
namespace {

bool digit(char letter) {
    return std::isdigit(static_cast<unsigned char>(letter)) != 0;
}

/// Numbers of a release, with a negative one before those of a candidate (-1) or of a version in development
/// (-2): 1.3.0rc20 is 1, 3, 0, -1, 20, which is before 1.3.0.
std::vector<long> numbers_of(std::string_view release) {
    std::vector<long> numbers;
    for (auto at = release.begin(); at != release.end();) {
        const auto next = std::find_if(at, release.end(), [&](char c) { return digit(c) != digit(*at); });
        const std::string_view part{at, next};
        if (digit(*at)) {
            long number = 0;
            const auto [end, status] = std::from_chars(part.data(), part.data() + part.size(), number);
            numbers.push_back(status == std::errc{} ? number : std::numeric_limits<long>::max());
        } else if (part.find("dev") != part.npos) {
            numbers.push_back(-2);
        } else if (part.find("rc") != part.npos) {
            numbers.push_back(-1);
        }
        at = next;
    }
    return numbers;
}

}  // namespace

bool is_release(std::string_view text) {
    return !text.empty() && digit(text.front()) && std::ranges::all_of(text, [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.';
    });
}

bool release_before(std::string_view first, std::string_view second) {
    std::vector<long> a = numbers_of(first);
    std::vector<long> b = numbers_of(second);
    const std::size_t size = std::max(a.size(), b.size());
    a.resize(size);
    b.resize(size);
    return a < b;
}

std::size_t nearest_release(std::string_view asked, std::span<const std::string> known) {
    DSE_EXPECT(!known.empty());
    const auto better = [&](std::size_t a, std::size_t b) {
        const bool late_a = release_before(asked, known[a]);
        const bool late_b = release_before(asked, known[b]);
        if (late_a != late_b) return late_b;
        return late_a ? release_before(known[a], known[b]) : release_before(known[b], known[a]);
    };
    std::size_t best = 0;
    for (std::size_t i = 1; i < known.size(); ++i) {
        if (better(i, best)) best = i;
    }
    return best;
}

}  // namespace dse::model
