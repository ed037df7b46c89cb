#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "dse/results/table.hpp"

namespace dse::app {

/// Finds the row that a user marks, "tp=8,pp=16,schedule=1f1b", in a sequence of rows. If several rows have
/// these values, it is the best feasible one in the first objective.
class MarkedRow {
  public:
    /// \param columns  a table without rows, with the columns of the rows to be added
    /// \throws InputError if the text does not give values of these columns
    MarkedRow(const results::Table& columns, const std::string& text,
              std::vector<metrics::Objective> objectives);

    void add(const results::Table& block);

    /// The marked row. \throws InputError if no row has these values, listing those that exist
    [[nodiscard]] const results::Table& row() const;

    /// Number of rows with these values.
    [[nodiscard]] std::uint64_t matches() const { return matches_; }

    /// Varied axes that the text does not determine, as indices into schema.points.
    [[nodiscard]] const std::vector<std::size_t>& open() const { return open_; }

  private:
    struct Wanted {
        std::size_t column;
        double value;
        std::set<double> seen{};  ///< some of the values that exist
    };
    void want(const std::string& setting);
    void require_fact(const std::string& name, const std::string& value) const;
    [[nodiscard]] bool is_meant(const results::Table& block, std::size_t row);

    std::string text_;
    std::vector<metrics::Objective> objectives_;
    std::vector<Wanted> wanted_;
    std::vector<std::size_t> open_;
    std::uint64_t matches_{0};
    results::Table row_;
    double cost_{0.0};  ///< of row_ in the first objective
};

}  // namespace dse::app
