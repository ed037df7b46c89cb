#include "app/row_reasons.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

namespace dse::app {

void RowReasons::add(const std::string& reason) {
    ++rows_;
    ++rows_of_reason_[reason];
}

std::string RowReasons::text(std::size_t of, const char* what) const {
    if (rows_ == 0) return {};
    std::vector<std::pair<std::string, std::size_t>> reasons(rows_of_reason_.begin(), rows_of_reason_.end());
    std::ranges::stable_sort(reasons, std::greater{}, &std::pair<std::string, std::size_t>::second);
    constexpr std::size_t most = 5;
    std::string text =
        fmt::format("Of {} rows, {} are {}{}:\n", of, rows_, what,
                    reasons.size() > most ? ", most often because (--rows has all reasons)" : "");
    for (std::size_t i = 0; i < std::min(most, reasons.size()); ++i)
        text += fmt::format("  {:>4}  {}\n", reasons[i].second, reasons[i].first);
    return text;
}

}  // namespace dse::app
