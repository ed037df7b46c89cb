#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/fold/memory_summary.hpp"
#include "dse/sim/memory_peak.hpp"

namespace dse::eval {

/// Memory that one device of a pipeline stage needs in inference.
struct StageNeed {
    sim::BytesByKind resident{};  ///< parameters, cache and states
    sim::BytesByKind passing{};   ///< everything else, at the peak
    double resident_total{0};
    double passing_total{0};
};

/// The needs of all stages of a graph. Reuses its memory.
class StageNeeds {
  public:
    /// \param graph  a graph of inference
    void read(const graph::Graph& graph);
    [[nodiscard]] std::span<const StageNeed> stages() const { return stages_; }

  private:
    sim::fold::RegionTable table_;
    sim::fold::MemoryFold fold_;
    std::vector<StageNeed> stages_;
};

/// Memory peaks of all stages of a graph. (sim::Engine::peak_memory returns that of the fullest stage.)
std::vector<sim::MemoryPeak> stage_peaks(const graph::Graph& graph);

/// Memory peak of a server's fullest stage.
/// \param stages  needs of the server's own steps
/// \param prompt  needs while a prompt is processed, in addition to resident memory; empty: no prompts are
/// processed
sim::MemoryPeak serving_peak(std::span<const StageNeed> stages, std::span<const StageNeed> prompt);

/// The same for each stage.
std::vector<sim::MemoryPeak> serving_peaks(std::span<const StageNeed> stages,
                                           std::span<const StageNeed> prompt);

/// Shape of a batch: `parts` equal parts of `size` sequences on each of `replicas`.
struct BatchShape {
    std::int64_t size{1};
    std::int64_t parts{1};
    std::int64_t replicas{1};
    bool may_have_fewer_parts{false};  ///< allowed if not even one sequence per part fits
};

/// The largest batch over all replicas that fits, in closed form: cache and passing memory grow with the
/// batch, parameters and prompts do not.
/// \param stages    needs with the batch `shape`
/// \param prompt    like serving_peak()
/// \param capacity  memory of a device without the allocator's overhead, in bytes
/// \return a multiple of parts · replicas (with fewer parts if one sequence per part does not fit); 0 if
/// nothing fits
std::int64_t batch_limit(std::span<const StageNeed> stages, std::span<const StageNeed> prompt,
                         const BatchShape& shape, double capacity);

}  // namespace dse::eval
