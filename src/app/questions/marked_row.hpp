#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "dse/results/table.hpp"

namespace dse::app {

/// Looks for the row that a user marks, "tp=8,pp=16,schedule=1f1b", while rows go by. Where several have
/// these values, the best feasible one in the first objective is meant.
class MarkedRow {
  public:
    /// \param columns  a table without rows, with the columns of those that will come
    /// \throws InputError for a text that names no value of these rows
    MarkedRow(const results::Table& columns, const std::string& text,
              std::vector<metrics::Objective> objectives);

    void add(const results::Table& block);

    /// One row. \throws InputError where none has these values, with those that there are
    [[nodiscard]] const results::Table& row() const;

    /// How many rows have these values.
    [[nodiscard]] std::uint64_t matches() const { return matches_; }

    /// Varied axes that the text leaves open: by index into schema.points.
    [[nodiscard]] const std::vector<std::size_t>& open() const { return open_; }

  private:
    struct Wanted {
        std::size_t column;
        double value;
        std::set<double> seen{};  ///< some of the values that there are
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
