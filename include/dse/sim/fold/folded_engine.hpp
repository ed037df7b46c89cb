#pragma once

#include "dse/sim/dependencies.hpp"
#include "dse/sim/engine.hpp"
#include "dse/sim/fold/abreast_player.hpp"
#include "dse/sim/fold/abreast_steps.hpp"
#include "dse/sim/fold/memory_summary.hpp"
#include "dse/sim/fold/path_walk.hpp"
#include "dse/sim/fold/period_jump.hpp"
#include "dse/sim/fold/played_beginning.hpp"
#include "dse/sim/fold/played_works.hpp"
#include "dse/sim/fold/region_operators.hpp"
#include "dse/sim/fold/run_jump.hpp"
#include "dse/sim/fold/schedule_player.hpp"
#include "dse/sim/fold/schedule_programs.hpp"
#include "dse/sim/fold/stage_account.hpp"
#include "dse/sim/fold/stage_waits.hpp"
#include "dse/sim/fold/task_log.hpp"
#include "dse/sim/fold/time_changes.hpp"

namespace dse::sim::fold {

/// Simulates one representative of each pipeline stage, on (max,+) operators: the cost depends on the amount
/// of distinct work, not on the number of layers or ranks (docs/theory/folding.md). Allocates no memory once
/// the largest graph has been seen.
///
/// Rejects collectives over the pipeline axis other than the barrier.
class FoldedEngine final : public Engine {
  public:
    using Engine::play;
    Result play(const graph::Graph& graph, const Durations& durations, Asked asked) override;
    std::vector<std::optional<Result>> play_abreast(const graph::Graph& graph,
                                                    std::span<const Durations* const> durations,
                                                    Asked asked) override;
    MemoryPeak peak_memory(const graph::Graph& graph) override;

    /// Same as above, with the timelines of the given stages.
    /// \param stages  stages whose timelines are wanted
    Result play(const graph::Graph& graph, const Durations& durations,
                const std::vector<std::uint32_t>& stages, std::vector<Timeline>& timelines);

  private:
    /// What a play leaves behind in the player.
    enum class Leaves : std::uint8_t { times, messages };
    Result fold(const graph::Graph& graph, const Durations& durations, Leaves leaves, TaskLog* log);
    void read_times(const graph::Graph& graph, const Durations& durations);
    Parts account(const graph::Graph& graph, const Durations& durations, std::uint32_t stage,
                  Timeline* timeline, Waits* waits);
    void list_play(const graph::Graph& graph, const Durations& durations, std::uint32_t stage,
                   Timeline& timeline);
    void play_some_abreast(const graph::Graph& graph, const ScheduleProgram& program,
                           std::span<const Durations* const> durations, Asked asked,
                           std::span<std::optional<Result>> results);
    void add_stages(const graph::Graph& graph, const Durations& durations, Result& result);
    void add_path(const graph::Graph& graph, const Durations& durations, const TaskLog* log, double from,
                  Result& result);
    bool follow_record(const LoggedPlay& play, std::uint32_t busiest, double from, Result& result);
    void follow_listed(const graph::Graph& graph, const Durations& durations, Result& result, double end,
                       PathLedger& ledger);

    RegionTable table_;
    RegionOperators regions_;
    GraphNumbers regions_of_;
    SchedulePrograms programs_;
    SchedulePlayer player_;
    PeriodJump jump_;
    RunJump run_jump_;
    PlayedBeginning beginning_;
    Leaves beginning_leaves_{Leaves::messages};  // what the play of beginning_ has left
    MemoryFold memory_;
    StageAccount account_;
    TaskLog log_;
    PlayedWorks works_;
    RegionPaths paths_;
    StageWaits waits_;
    PathWalk walk_;
    std::vector<Timeline> timelines_;  // of follow_listed(): their memory
    Dependencies dependencies_;        // likewise
    AbreastSteps steps_abreast_;
    std::uint64_t steps_abreast_of_{0};  // SchedulePrograms::latest_number
    AbreastOperators abreast_regions_;
    AbreastPlayer abreast_;
    AbreastLog abreast_log_;
    RegionPaths abreast_paths_;
};

}  // namespace dse::sim::fold
