#include "app/synth/job_timer.hpp"

#include <array>
#include <utility>

#include "dse/config/library_struct.hpp"
#include "dse/eval/simulator.hpp"
#include "dse/frontend/frontend.hpp"

namespace dse::app::synth {

/// Returns the graph that it was given.
class JobTimer::GivenGraph final : public frontend::Frontend {
  public:
    const graph::Graph& build(const graph::WorkloadSpec&, const graph::ResolvedLayout&) override {
        return graph_;
    }
    void forget() override {}
    double parameter_count(const graph::WorkloadSpec&) override { return 0.0; }
    double active_parameter_count(const graph::WorkloadSpec&) override { return 0.0; }

    void give(graph::Graph graph) {
        graph_ = std::move(graph);
        graph_.revision = ++revision_;
    }

  private:
    graph::Graph graph_;
    std::uint64_t revision_{0};
};

struct JobTimer::Impl {
    study::Scenario scenario;
    GivenGraph* given{nullptr};  ///< owned by the simulator
    std::unique_ptr<eval::Simulator> simulator;
};

JobTimer::JobTimer(const std::string& cluster) : impl_{std::make_unique<Impl>()} {
    impl_->scenario.system.cluster = config::read_from_library<hardware::ClusterSpec>(
        config::Library::standard(""), "hardware/clusters", cluster, "command line");
    // Marks the layout as fixed, as for compilers' programs.
    impl_->scenario.workload.ir = "a sample";
    auto given = std::make_unique<GivenGraph>();
    impl_->given = given.get();
    impl_->simulator = std::make_unique<eval::Simulator>(std::move(given));
}

JobTimer::~JobTimer() = default;

Seconds JobTimer::operator()(graph::Graph job) {
    impl_->scenario.system.devices = job.mesh.ranks();
    impl_->given->give(std::move(job));
    const std::array key{static_cast<double>(impl_->scenario.system.devices)};
    const eval::Evaluation& evaluation =
        impl_->simulator->run(impl_->scenario, key, eval::WhenFull::simulate, sim::Asked::For::time);
    return Seconds{evaluation.result.iteration_time};
}

}  // namespace dse::app::synth
