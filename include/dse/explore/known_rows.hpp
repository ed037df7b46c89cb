#pragma once

#include <filesystem>
#include <vector>

#include "dse/results/result_schema.hpp"
#include "dse/space/record.hpp"
#include "dse/space/space.hpp"

namespace dse::explore {

/// What an older file of the same question answers of a space: its rows that are points of the space, with
/// the metrics that the space's rows have. Values of axes may be others, and other derived names; all else
/// must be the same. Points of which nothing is known (failed, timed out) are left out. \param schema  of the
/// space's own rows \throws InputError where the file cannot be read, or is of another question: what differs
std::vector<space::Record> known_rows(const space::Space& space, const results::ResultSchema& schema,
                                      const std::filesystem::path& file);

}  // namespace dse::explore
