#pragma once

#include <cstddef>
#include <functional>
#include <map>

#include "app/questions/row_groups.hpp"
#include "app/questions/row_question.hpp"
#include "app/robust_front.hpp"
#include "dse/results/table.hpp"

namespace dse::app {

/// Receives a row of a group of --by.
using RobustRowVisitor =
    std::function<void(const RowGroups::Values& values, const results::Table& rows, std::size_t row)>;

/// Visits the rows that answer a question and that no row of their group's front is surely better than. Reads
/// the question's file once.
void each_robust_row(const RowQuestion& question, const std::map<RowGroups::Values, RobustFront>& fronts,
                     const RobustRowVisitor& visit);

/// Share of the variance of prediction errors that two rows of a file have in common.
SharedErrors shared_errors(const RowQuestion& question);

}  // namespace dse::app
