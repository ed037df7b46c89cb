#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/fold/memory_summary.hpp"
#include "dse/sim/memory_peak.hpp"

namespace dse::eval {

/// What one device of a pipeline stage needs in inference.
struct StageNeed {
    sim::BytesByKind resident{};  ///< parameters and cache
    sim::BytesByKind passing{};   ///< most of all else, at one moment
    double resident_total{0};
    double passing_total{0};
};

/// The needs of all stages of a graph; its memory is reused from graph to graph.
class StageNeeds {
  public:
    /// \param graph  of inference
    void read(const graph::Graph& graph);
    [[nodiscard]] std::span<const StageNeed> stages() const { return stages_; }

  private:
    sim::fold::RegionTable table_;
    sim::fold::MemoryFold fold_;
    std::vector<StageNeed> stages_;
};

/// Peaks of all stages of a graph, each as sim::Engine::peak_memory says it of the fullest.
std::vector<sim::MemoryPeak> stage_peaks(const graph::Graph& graph);

/// The fullest stage of a server whose stages need this, and while a prompt is read `prompt` beside what is
/// resident (empty: no prompts are read besides).
sim::MemoryPeak serving_peak(std::span<const StageNeed> stages, std::span<const StageNeed> prompt);

/// The same of each stage.
std::vector<sim::MemoryPeak> serving_peaks(std::span<const StageNeed> stages,
                                           std::span<const StageNeed> prompt);

/// How a batch lies: `parts` equal parts of `size` sequences on each of `replicas`.
struct BatchShape {
    std::int64_t size{1};
    std::int64_t parts{1};
    std::int64_t replicas{1};
    bool may_have_fewer_parts{false};  ///< where not even one sequence a part fits
};

/// The largest batch of all replicas together that fits, in closed form: cache and passing memory grow with
/// the batch, parameters and prompts do not. \param stages    at the batch of `shape` \param prompt    as
/// serving_peak() \param capacity  of a device, less what the allocator adds, in bytes \return a multiple of
/// parts · replicas (of fewer parts where those alone do not fit); 0 where nothing fits
std::int64_t batch_limit(std::span<const StageNeed> stages, std::span<const StageNeed> prompt,
                         const BatchShape& shape, double capacity);

}  // namespace dse::eval
