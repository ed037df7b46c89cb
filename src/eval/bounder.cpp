#include "dse/eval/bounder.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/eval/frontend_of.hpp"
#include "dse/eval/measure.hpp"
#include "dse/graph/serving.hpp"
#include "dse/model/cost.hpp"
#include "dse/model/energy.hpp"
#include "eval/bound_machines.hpp"
#include "eval/expenses.hpp"
#include "eval/stages/stages.hpp"

namespace dse::eval {
namespace {

/// Times of faster machines are shorter in exact arithmetic. The C library's p-norms are accurate to one unit
/// in the last place, which can shift a time to the next multiple of the engines' quantum, 2^-40 s (0.9
/// ps). The shortest kernels take microseconds, so that a relative margin of 1e-6 far exceeds the sum of
/// these errors.
constexpr double time_margin = 1e-6;

/// Energy is a product with one factor that decreases with time; its error is a few units in the last place.
constexpr double rounding_margin = 1e-12;

constexpr std::array minimised{std::string_view{"iteration_time"}, std::string_view{"memory_peak"},
                               std::string_view{"energy"}, std::string_view{"cost"}};
constexpr std::array maximised{std::string_view{"tokens_per_second"},
                               std::string_view{"tokens_per_second_per_device"},
                               std::string_view{"samples_per_second"}};

[[noreturn]] void refuse(const study::Sweep& sweep, std::string_view why) {
    throw InputError(
        fmt::format("{}: no bounds are known {} ('search: {{method: proven}}' takes training under "
                    "engine: folded)",
                    sweep.file, why));
}

void expect_lemma(const study::Sweep& sweep) {
    const study::Scenario& base = sweep.base;
    if (base.fidelity.engine != "folded") refuse(sweep, "under engine: " + base.fidelity.engine);
    if (graph::is_inference(base.workload.mode)) refuse(sweep, "of inference");
    if (!base.system.device_classes.empty()) refuse(sweep, "where devices differ (system.device_classes)");
    const auto expect_fixed = [&](const auto& values) {
        for (const auto& value : values)
            if (value.info.path == "fidelity.engine" || value.info.path == "workload.mode")
                refuse(sweep, "where '" + value.name + "' varies");
    };
    expect_fixed(sweep.space->axes());
    expect_fixed(sweep.space->derived());
}

/// \return nothing if the layout is not possible on any machine
std::optional<Job> laid_out(const study::Scenario& scenario, const Machine& machine) {
    try {
        return job_of(scenario, scenario.workload, machine, WhenFull::refuse, sim::Asked::For::time);
    } catch (const ModelError&) {
        return std::nullopt;
    }
}

/// The lowest energy, and with it the lowest cost, of any machine that takes this time.
/// \param machines  with enough memory
void bound_expenses(const BoundMachine& machines, const model::Activity& activity, metrics::Metrics& best) {
    double energy = std::numeric_limits<double>::infinity();
    double cost = energy;
    for (std::size_t i = 0; i < machines.fast.size(); ++i) {
        const Joules joules = model::energy(machines.fast[i], activity) * (1.0 - rounding_margin);
        const Dollars dollars = model::cost(machines.cheap[i], activity.duration, joules);
        // If one of them is NaN, the bound is unknown.
        energy = energy <= joules.value() ? energy : joules.value();
        cost = cost <= dollars.value() ? cost : dollars.value();
    }
    best.energy = energy;
    best.cost = cost * (1.0 - rounding_margin);
}

}  // namespace

struct MachineBounder::Impl {
    explicit Impl(const study::Sweep& from)
        : sweep{from}, machines{sweep, bound_roles(sweep)}, stages{frontend_of(sweep), [] {}, no_machines} {}

    const study::Sweep& sweep;
    BoundMachines machines;
    MachineCache no_machines;  ///< empty: each box has its own machine
    Stages stages;
    Evaluation evaluation;

    void bound(const space::Box& box, space::Bounds& bounds);
    std::vector<std::uint64_t> promising(const space::Box& box);
    bool fits(const Job& job, const graph::Graph& graph);
    const graph::Graph* built(const Job& job);
    space::Box roomy(const space::Box& box, const study::Scenario& scenario) const;
};

/// \return nullptr if the layout is not possible on any machine
const graph::Graph* MachineBounder::Impl::built(const Job& job) {
    try {
        return &stages.build(job);
    } catch (const ModelError&) {
        return nullptr;
    }
}

/// Memory depends only on the layout; the scenario has the devices with the largest memory in the box.
bool MachineBounder::Impl::fits(const Job& job, const graph::Graph& graph) {
    return stages.fit.residents(job, graph, evaluation) &&
           stages.fit.iteration(job, graph, stages.play.engine(job), evaluation);
}

void MachineBounder::Impl::bound(const space::Box& box, space::Bounds& bounds) {
    const BoundMachine& machine = machines.find(box);
    const study::Scenario& scenario = machines.scenario(box);
    evaluation = {};
    stages.tidy();
    const std::optional<Job> job = laid_out(scenario, machine.machine);
    const graph::Graph* const built_graph = job ? built(*job) : nullptr;
    bounds.infeasible = built_graph == nullptr || !fits(*job, *built_graph);
    if (bounds.infeasible) return;
    const graph::Graph& graph = *built_graph;
    bounds.best.memory_peak = peak_memory(scenario, evaluation.memory).value();
    const Cost::Costed costed = stages.cost(*job, graph);
    sim::Result result = stages.play(*job, *costed.graph, *costed.durations);
    result.iteration_time *= 1.0 - time_margin;
    bounds.best = measure(scenario, graph, costed.total, result, evaluation.memory);
    const model::Activity activity =
        mean_activity(scenario, graph, costed.total, Seconds{result.iteration_time});
    bound_expenses(machines.find(roomy(box, scenario)), activity, bounds.best);
}

/// What is left of a box whose layout has been evaluated if machines must have the memory for it.
space::Box MachineBounder::Impl::roomy(const space::Box& box, const study::Scenario& scenario) const {
    return machines.with_room(box, peak_memory(scenario, evaluation.memory), Bytes{evaluation.memory.host});
}

std::vector<std::uint64_t> MachineBounder::Impl::promising(const space::Box& box) {
    const BoundMachine& machine = machines.find(box);
    const study::Scenario& scenario = machines.scenario(box);
    evaluation = {};
    const std::optional<Job> job = laid_out(scenario, machine.machine);
    const graph::Graph* const graph = job ? built(*job) : nullptr;
    if (graph == nullptr || !fits(*job, *graph)) return machines.fastest(box);
    return machines.fastest(roomy(box, scenario));
}

MachineBounder::MachineBounder(const study::Sweep& sweep) {
    expect_lemma(sweep);
    impl_ = std::make_unique<Impl>(sweep);
}

MachineBounder::~MachineBounder() = default;

bool MachineBounder::knows(const metrics::Objective& objective) const {
    const auto among = [&](const auto& names) {
        return std::find(names.begin(), names.end(), objective.metric) != names.end();
    };
    return objective.direction == metrics::Direction::minimize ? among(minimised) : among(maximised);
}

bool MachineBounder::is_enumerated(std::size_t axis) const {
    return impl_->machines.roles()[axis] == BoundRole::structure;
}

std::vector<std::uint64_t> MachineBounder::promising(const space::Box& box) const {
    if (!impl_->machines.can_bound(box)) return impl_->machines.fastest(box);
    try {
        return impl_->promising(box);
    } catch (const ModelError&) {
        return impl_->machines.fastest(box);
    }
}

space::Bounds MachineBounder::bounds(const space::Box& box) {
    space::Bounds bounds;
    if (!impl_->machines.can_bound(box)) return bounds;
    try {
        impl_->bound(box, bounds);
    } catch (const ModelError&) {
        // A model rejects the fastest machine: nothing is known about the others.
    }
    return bounds;
}

}  // namespace dse::eval
