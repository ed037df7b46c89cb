#include "dse/explore/registry.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/explore/static_search.hpp"
#include "dse/space/identity.hpp"
#include "dse/space/registry.hpp"
#include "explore/learning_search.hpp"
#include "explore/moead.hpp"
#include "explore/nsga2.hpp"
#include "explore/proven_search.hpp"
#include "explore/refine.hpp"
#include "explore/screen_search.hpp"

namespace dse::explore {
namespace {

std::unique_ptr<Method> make_nsga2(Knowledge& knowledge, const space::SearchSpec& search) {
    return std::make_unique<Nsga2>(knowledge, static_cast<std::size_t>(search.population));
}

std::unique_ptr<Method> make_moead(Knowledge& knowledge, const space::SearchSpec& search) {
    return std::make_unique<Moead>(knowledge, static_cast<std::size_t>(search.population));
}

std::unique_ptr<Method> make_refine(Knowledge& knowledge, const space::SearchSpec& search) {
    return std::make_unique<Refine>(knowledge, static_cast<std::size_t>(search.population));
}

std::unique_ptr<Method> refuse_proven(Knowledge& /*knowledge*/, const space::SearchSpec& /*search*/) {
    throw InputError("search: 'proven' cannot be combined with other methods");
}

/// It is a separate search, since its points have two fidelities.
std::unique_ptr<Method> refuse_screen(Knowledge& /*knowledge*/, const space::SearchSpec& /*search*/) {
    throw InputError("search: 'screen' evaluates every point: name it alone");
}

std::vector<FactoryTable<MethodFactory>::Row> rows() {
    std::vector<FactoryTable<MethodFactory>::Row> rows;
    for (const auto& sampler : space::samplers().rows())
        rows.push_back({sampler.name, sampler.description, nullptr});
    rows.push_back({"nsga2", "evolution by fronts and crowding (NSGA-II)", &make_nsga2});
    rows.push_back({"moead", "evolution by many weighted sums of objectives (MOEA/D)", &make_moead});
    rows.push_back({"refine", "neighbours of the best points, until none is better", &make_refine});
    rows.push_back(
        {"proven", "branch and bound: the front within a tolerance, with a proof", &refuse_proven});
    rows.push_back(
        {"screen", "all points at low fidelity, then the promising ones at high fidelity", &refuse_screen});
    return rows;
}

}  // namespace

const FactoryTable<MethodFactory>& searches() {
    static const FactoryTable<MethodFactory> table("search method", rows());
    return table;
}

bool learns(const space::SearchSpec& search) {
    return searches().find(search.method) != nullptr;
}

void add_goals(const space::Space& space, results::ResultSchema& schema) {
    auto& facts = schema.sweep.facts;
    for (const metrics::Objective& objective : schema.sweep.objectives)
        facts.emplace_back("search.objective." + objective.metric, metrics::name(objective.direction));
    for (std::size_t i = 0; i < space.constraints().size(); ++i)
        facts.emplace_back(fmt::format("where.{}", i), space.constraints()[i].expression.text());
    const space::SearchSpec& search = space.search();
    for (std::size_t i = 0; i < search.then.size(); ++i)
        facts.emplace_back(fmt::format("search.then.{}", i), search.then[i]);
    facts.emplace_back("search.population", std::to_string(search.population));
    facts.emplace_back("search.patience", std::to_string(search.patience));
    if (search.time_budget.value() > 0.0)
        facts.emplace_back("search.time_budget", fmt::format("{}", search.time_budget.value()));
    if (search.cpu_budget.value() > 0.0)
        facts.emplace_back("search.cpu_budget", fmt::format("{}", search.cpu_budget.value()));
    for (std::size_t i = 0; i < search.from_digests.size(); ++i)
        facts.emplace_back(fmt::format("search.from.{}", i), search.from_digests[i]);
    if (search.method == "proven")
        facts.emplace_back("search.tolerance", fmt::format("{}", search.tolerance));
    schema.sweep.digest = space::digest(facts);
}

std::unique_ptr<Search> make_search(const std::shared_ptr<const space::Space>& space, std::string_view name,
                                    const std::vector<metrics::Objective>& objectives,
                                    const std::optional<std::uint64_t>& limit, const MakeBounder& bounder,
                                    std::span<const space::Record> known) {
    if (space->search().method == "proven")
        return std::make_unique<ProvenSearch>(space, objectives, bounder ? bounder() : nullptr, known);
    if (space->search().method == "screen") return std::make_unique<ScreenSearch>(space, objectives);
    if (learns(space->search())) return std::make_unique<LearningSearch>(space, objectives, known);
    return static_search(space, name, limit);
}

}  // namespace dse::explore
