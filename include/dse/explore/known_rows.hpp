#pragma once

#include <filesystem>
#include <vector>

#include "dse/results/result_schema.hpp"
#include "dse/space/record.hpp"
#include "dse/space/space.hpp"

namespace dse::explore {

/// Rows of an older results file that are points of a space, with the metrics of the space's own rows. Values
/// of axes and derived names may differ between the two; everything else must be equal. Points without a
/// result (failed, timed out) are omitted.
/// \param schema  schema of the space's own rows
/// \throws InputError if the file cannot be read, or belongs to a different question, naming the difference
std::vector<space::Record> known_rows(const space::Space& space, const results::ResultSchema& schema,
                                      const std::filesystem::path& file);

}  // namespace dse::explore
