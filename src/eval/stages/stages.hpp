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

/// build → fit → cost → play, each with what it keeps of earlier jobs; measure() keeps nothing. What
/// neighbouring jobs share is found again, and no answer depends on it.
struct Stages {
    /// \param checkpoint  called now and then while a long stage is at work; what it throws ends the job
    /// \param machines    those of the jobs; outlives this
    Stages(std::unique_ptr<frontend::Frontend> frontend, std::function<void()> checkpoint,
           const MachineCache& machines)
        : build{std::move(frontend)}, play{std::move(checkpoint)}, ahead{machines} {}

    /// Between two jobs: keeps memory bounded.
    void tidy() {
        fit.tidy();
        cost.tidy();
    }
    /// What the frontend has read stays.
    void forget() {
        build.forget();
        fit.forget();
        cost.forget();
        play.forget();
        ahead.forget();
    }

    Deadline deadline;  ///< of the job, looked at between stages
    Build build;
    Fit fit;
    Cost cost;
    Play play;
    Ahead ahead;  ///< of cost and play

    /// Scratch memory of inference.
    struct Server {
        graph::WorkloadSpec prompt;  ///< what a decode point reads before its first step
        StageNeeds prompt_needs;
        StageNeeds needs;
    } server;
};

}  // namespace dse::eval
