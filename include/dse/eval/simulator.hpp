#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "dse/eval/deadline.hpp"
#include "dse/eval/machine.hpp"
#include "dse/eval/serving_memory.hpp"
#include "dse/eval/shortage.hpp"
#include "dse/frontend/frontend.hpp"
#include "dse/graph/totals.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/sim/engine.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// What a simulation was made from and what came out; pointers are valid until the next call.
struct Simulation {
    /// Where the scenario does not fit and is refused: then there are no durations, no result, no metrics.
    std::optional<Shortage> shortage;
    const graph::Graph* graph{nullptr};
    const sim::Durations* durations{nullptr};
    sim::MemoryPeak memory;
    sim::Result result;
    metrics::Metrics metrics;
};

/// Whether a scenario that does not fit is simulated all the same: for explanations.
enum class WhenFull { refuse, simulate };

/// Scenario → graph → durations → time and memory → metrics. One object serves one thread; what neighbouring
/// scenarios share (structure, costs, cost models) it keeps. The same scenario gives the same answer,
/// whatever came before.
class Simulator {
  public:
    explicit Simulator(std::unique_ptr<frontend::Frontend> frontend);
    ~Simulator();

    /// \param system_key  equal keys, equal system and fidelity
    /// \throws ModelError where the layout is none, or a model is outside its validity; OutOfTime where it
    /// takes longer than the scenario's fidelity.time_limit; Stopped, see stop_when()
    const Simulation& run(const study::Scenario& scenario, std::span<const double> system_key,
                          WhenFull when_full);

    /// Forgets everything that was kept from earlier scenarios; what the frontend has read stays.
    void forget();

    /// \param stopped  asked now and then while a long scenario is played; where it says so, run() throws
    /// Stopped
    void stop_when(bool (*stopped)()) { stopped_ = stopped; }

    /// As far as the last run came, where it threw: what is not there is nullptr.
    [[nodiscard]] const Simulation& last() const { return simulation_; }

  private:
    struct Kept;
    Kept& kept_of(const graph::Graph& graph);
    static const graph::Graph& played_graph(Kept& kept, const study::Scenario& scenario,
                                            const graph::Graph& graph);
    static void update_costs(Kept& kept, const study::Scenario& scenario, const graph::Graph& graph,
                             const graph::Graph& played, const Machine& machine);
    const sim::MemoryPeak& peak_of(Kept& kept, const study::Scenario& scenario, const graph::Graph& graph);
    // Inference (serving.cpp).
    void serve(const study::Scenario& scenario, const graph::ResolvedLayout& layout, const Machine& machine,
               WhenFull when_full);
    double read_prompt(const study::Scenario& scenario, const graph::ResolvedLayout& layout,
                       const Machine& machine);
    sim::Result play_steps(const study::Scenario& scenario, const graph::WorkloadSpec& workload,
                           graph::ResolvedLayout layout, const sim::Durations& durations);
    sim::Engine& engine(const std::string& name);
    void check_whether_to_go_on() const;

    std::unique_ptr<frontend::Frontend> frontend_;
    MachineCache machines_;
    std::map<std::string, std::unique_ptr<sim::Engine>, std::less<>> engines_;
    std::map<const graph::Graph*, Kept> kept_;
    Deadline deadline_;
    bool (*stopped_)(){nullptr};
    Simulation simulation_;
    graph::WorkloadSpec prompt_;  ///< what a decode point reads before its first step
    StageNeeds prompt_needs_;
    StageNeeds needs_;
};

}  // namespace dse::eval
