#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dse/base/factory_table.hpp"
#include "dse/explore/search.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/results/result_schema.hpp"
#include "dse/space/bounder.hpp"
#include "dse/space/space.hpp"

namespace dse::explore {

class Knowledge;
class Method;

/// Creates an adaptive method. Members of the table that draw their points in advance have none; that of
/// `proven`, which is a search of its own, throws.
using MethodFactory = std::unique_ptr<Method> (*)(Knowledge& knowledge, const space::SearchSpec& search);

/// All values of `search: {method: …}` in a sweep.
const FactoryTable<MethodFactory>& searches();

using MakeBounder = std::function<std::unique_ptr<space::Bounder>()>;

/// Whether a method chooses points based on the results of earlier ones.
bool learns(const space::SearchSpec& search);

/// Adds everything that an adaptive search depends on to the identity of its rows: objectives, constraints
/// and the settings of its methods.
void add_goals(const space::Space& space, results::ResultSchema& schema);

/// Creates the search requested by the space.
/// \param name        name of the space's file, for messages
/// \param objectives  for an adaptive search
/// \param limit       largest number of points to evaluate, if limited
/// \param bounder     creates bounds of boxes of the space, for a search that proves its front
/// \param known       points of the space with results from older files (known_rows), for an adaptive search
/// \throws InputError if the search is not applicable to the space
std::unique_ptr<Search> make_search(const std::shared_ptr<const space::Space>& space, std::string_view name,
                                    const std::vector<metrics::Objective>& objectives,
                                    const std::optional<std::uint64_t>& limit = {},
                                    const MakeBounder& bounder = {},
                                    std::span<const space::Record> known = {});

}  // namespace dse::explore
