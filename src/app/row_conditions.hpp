#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dse/results/table.hpp"
#include "dse/symbolic/expression.hpp"

namespace dse::app {

/// Conditions on the rows of a results file: those that its sweep states (`where`, over its `metrics` too),
/// and others. A name is a metric, else an axis or derived value by the end of its path, else a field that
/// all points share.
class RowConditions {
  public:
    /// \param table  outlives this
    /// \param more   conditions beside the sweep's own
    /// \throws InputError for a text that is no condition on these rows
    explicit RowConditions(const results::Table& table, const std::vector<std::string>& more = {});

    /// Whether a row fulfils all of them; false where one has no value.
    [[nodiscard]] bool hold(std::size_t row);
    [[nodiscard]] bool empty() const { return conditions_.empty(); }

  private:
    void add_symbol(const std::string& name);
    void add_column(const std::string& name, const results::Column& column,
                    const std::vector<double>& values);
    void add_field(const std::string& name);
    symbolic::Expression compile(const std::string& text);
    void read_own();
    [[nodiscard]] bool has_metric(const std::string& name) const;

    const results::Table& table_;
    symbolic::SymbolTable symbols_;
    std::vector<const std::vector<double>*> columns_;  ///< by slot
    std::vector<symbolic::Expression> derived_;        ///< metrics of the sweep, in the slots after them
    std::vector<std::size_t> derived_slots_;
    std::vector<symbolic::Expression> conditions_;
    std::vector<double> values_;
};

/// Takes rows that break a condition for rows without an answer.
class RowFilter {
  public:
    /// \param more  conditions beside the sweep's own
    explicit RowFilter(std::vector<std::string> more = {}) : more_{std::move(more)} {}

    /// The same rows; of those that break a condition the status is not `ok`.
    /// \param block  outlives what is returned
    /// \throws InputError as RowConditions
    const results::Table& masked(const results::Table& block);

  private:
    std::vector<std::string> more_;
    results::Table masked_;
};

}  // namespace dse::app
