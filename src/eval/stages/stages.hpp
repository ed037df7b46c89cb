#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "dse/eval/deadline.hpp"
#include "eval/serving_memory.hpp"
#include "eval/stages/ahead.hpp"
#include "eval/stages/build.hpp"
#include "eval/stages/cost.hpp"
#include "eval/stages/fit.hpp"
#include "eval/stages/play.hpp"

namespace dse::eval {

/// build → fit → cost → play, each with its cache of earlier jobs; measure() has no cache. What neighbouring
/// jobs share is reused, but results do not depend on it.
struct Stages {
    /// \param checkpoint  called regularly during a long stage; an exception that it throws ends the job
    /// \param machines    the machines of the jobs; must outlive this object
    Stages(std::unique_ptr<frontend::Frontend> frontend, std::function<void()> checkpoint,
           const MachineCache& machines)
        : build{std::move(frontend)}, cost{machines}, play{std::move(checkpoint)}, ahead{machines} {}

    /// Bounds the memory of a sweep with many graphs; call between two jobs.
    void tidy() {
        if (build.is_full()) forget();
    }
    /// Drops all caches; files that the frontend has read stay parsed.
    void forget() {
        build.forget();
        fit.forget();
        cost.forget();
        play.forget();
        ahead.forget();
    }

    Deadline deadline;  ///< time limit of the job, checked between stages
    Build build;
    Fit fit;
    Cost cost;
    Play play;
    Ahead ahead;  ///< replaces cost and play if it knows the answer

    /// Scratch memory of inference.
    struct Server {
        graph::WorkloadSpec prompt;  ///< prefill before the first step of a decode point
        StageNeeds prompt_needs;
        StageNeeds needs;
    } server;
};

}  // namespace dse::eval
