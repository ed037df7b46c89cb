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

/// Makes a method that learns. Members of the table that draw their points beforehand have none; that of
/// `proven`, which is a search of its own, refuses.
using MethodFactory = std::unique_ptr<Method> (*)(Knowledge& knowledge, const space::SearchSpec& search);

/// Everything that `search: {method: …}` of a sweep can name.
const FactoryTable<MethodFactory>& searches();

using MakeBounder = std::function<std::unique_ptr<space::Bounder>()>;

/// Whether a method chooses points from the answers to earlier ones.
bool learns(const space::SearchSpec& search);

/// Makes what a search that learns is told part of what makes its rows these rows: objectives, constraints,
/// and how its methods are set.
void add_goals(const space::Space& space, results::ResultSchema& schema);

/// The search that the space asks for.
/// \param name        of the space's file, for messages
/// \param objectives  of a search that learns
/// \param limit       points that are to be evaluated at most, if there is such a limit
/// \param bounder     makes bounds of boxes of the space, for a search that proves
/// \param known       points of the space that older files answer (known_rows), for a search that learns
/// \throws InputError where the search does not suit the space
std::unique_ptr<Search> make_search(const std::shared_ptr<const space::Space>& space, std::string_view name,
                                    const std::vector<metrics::Objective>& objectives,
                                    const std::optional<std::uint64_t>& limit = {},
                                    const MakeBounder& bounder = {},
                                    std::span<const space::Record> known = {});

}  // namespace dse::explore
