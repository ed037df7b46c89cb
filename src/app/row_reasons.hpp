#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace dse::app {

/// Counts why rows of a measured table are not predicted, or are set aside. A table has hundreds of such rows
/// and few reasons, so that these are printed instead of the rows.
class RowReasons {
  public:
    void add(const std::string& reason);

    /// The number of rows and the most frequent reasons, the same number of rows in order of text.
    /// \param of    all rows of the table
    /// \param what  said of those that were added: "not predicted"
    /// \return lines; empty if no row was added
    [[nodiscard]] std::string text(std::size_t of, const char* what) const;

  private:
    std::map<std::string, std::size_t> rows_of_reason_;
    std::size_t rows_{0};
};

/// The reasons of comparisons that are not predicted.
/// \param comparisons  with is_compared() and why
template <class Comparison>
std::string not_predicted_text(const std::vector<Comparison>& comparisons) {
    RowReasons reasons;
    for (const Comparison& each : comparisons)
        if (!each.is_compared()) reasons.add(each.why);
    return reasons.text(comparisons.size(), "not predicted");
}

}  // namespace dse::app
