#pragma once

#include <map>
#include <string>
#include <vector>

#include "dse/eval/validation/validate.hpp"

namespace dse::eval {

/// What analysis/dse_analysis/leave_group_out.py found of a row.
struct LeftOut {
    std::string group;                     ///< of the row: an id alone could be another table's
    double error{0.0};                     ///< under constants that were fitted without this group
    bool is_calibration{true};             ///< whether it depends on a constant that was fitted to steps
    std::vector<std::string> constants{};  ///< these constants
};

/// Reads its table, by id. \throws InputError when the file cannot be read or lacks a column
std::map<std::string, LeftOut> read_left_out(const std::string& file);

/// Checks this table, or that of deployments and prompts (serving_left_out.csv), whose rows have no ids.
/// \throws InputError as above
void check_left_out(const std::string& file);

/// Sets which of the comparisons are of calibration rows, and their errors when they are left out.
void mark_calibration(const std::map<std::string, LeftOut>& rows, std::vector<Comparison>& comparisons);

}  // namespace dse::eval
