#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dse/results/table.hpp"
#include "dse/symbolic/expression.hpp"

namespace dse::app {

/// What rows must fulfil to be of the fidelity that counts: of a search that screens, those that the dear one
/// has confirmed.
std::optional<std::string> fidelity_condition(const results::ResultSchema& schema);

/// Conditions on the rows of a results file: those that its sweep states (`where`, over its `metrics` too),
/// and others. A name is a metric, else an axis or derived value by the end of its path, else a field that
/// all points share.
class RowConditions {
  public:
    /// \param schema  of the rows
    /// \param more    conditions beside the sweep's own
    /// \throws InputError for a text that is no condition on these rows
    explicit RowConditions(const results::ResultSchema& schema, const std::vector<std::string>& more = {});

    /// Whether a row fulfils all of them; false where one has no value.
    /// \param rows  of the schema
    [[nodiscard]] bool hold(const results::Table& rows, std::size_t row);
    [[nodiscard]] bool empty() const { return conditions_.empty(); }

  private:
    /// Where in a table the values of a symbol stand.
    struct Place {
        std::vector<std::vector<double>> results::Table::*columns{nullptr};  ///< null: it is derived
        std::size_t column{0};
    };

    void read_own(const results::ResultSchema& schema);
    symbolic::Expression compile(const std::string& text, const results::ResultSchema& schema);
    void add_symbol(const std::string& name, const results::ResultSchema& schema);
    void add_column(const std::string& name, const results::Column& column, const Place& place);
    void add_field(const std::string& name, const results::ResultSchema& schema);

    symbolic::SymbolTable symbols_;
    std::vector<Place> places_;                  ///< by slot
    std::vector<symbolic::Expression> derived_;  ///< metrics of the sweep, in the slots after them
    std::vector<std::size_t> derived_slots_;
    std::vector<symbolic::Expression> conditions_;
    std::vector<double> values_;
};

/// Takes rows that break a condition for rows without an answer.
class RowFilter {
  public:
    /// \param more  conditions beside the sweep's own
    explicit RowFilter(std::vector<std::string> more = {}) : more_{std::move(more)} {}

    /// The statuses of rows; of those that break a condition they are not `ok`.
    /// \param block  of one file at all calls; outlives what is returned, which the next call ends
    /// \throws InputError as RowConditions
    std::span<const space::Status> statuses(const results::Table& block);

  private:
    std::vector<std::string> more_;
    std::optional<RowConditions> conditions_;  ///< once a block has come
    std::vector<space::Status> masked_;
};

}  // namespace dse::app
