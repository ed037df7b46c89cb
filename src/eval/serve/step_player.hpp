#pragma once

#include <cstdint>

#include "eval/stages/stages.hpp"

namespace dse::eval {

/// Plays single steps of what a scenario serves: all replicas do the same at once.
class StepPlayer {
  public:
    /// \param scenario  of mode serving
    /// \param replayed  the machine of steps that only decode
    /// \throws ModelError where its layout is none that serves
    StepPlayer(const study::Scenario& scenario, const Machine& machine, const Machine& replayed,
               WhenFull when_full, Stages& stages);

    /// What a step takes, and how much of that its attention kernels do, in s.
    struct Step {
        double time{0};
        double attention{0};
    };
    /// A step in which each replica reads a prompt. \param tokens  a multiple of prompt_unit()
    Step prompt(std::int64_t tokens);
    /// A step in which each replica's sequences decode. \param sequences  fewer than parts(), or a multiple
    /// of them
    Step decode(std::int64_t sequences, std::int64_t context);

    /// Jobs for the same; valid until the next of them.
    Job prompt_job(std::int64_t tokens);
    Job decode_job(std::int64_t sequences, std::int64_t context);

    [[nodiscard]] std::int64_t replicas() const { return replicas_; }
    /// What divides the tokens of a prompt.
    [[nodiscard]] std::int64_t prompt_unit() const;
    /// Equal parts in which sequences go through a pipeline, where there are as many.
    [[nodiscard]] std::int64_t parts() const { return workload_.layout.pp; }
    /// Of the model; those of the parts that it is repeated from.
    std::int64_t layers();
    [[nodiscard]] Stages& stages() const { return stages_; }
    [[nodiscard]] const study::Scenario& scenario() const { return scenario_; }

  private:
    [[nodiscard]] bool replays_prompt(std::int64_t tokens) const;
    Step play(const Job& job);

    const study::Scenario& scenario_;
    const Machine& machine_;
    const Machine& replayed_;
    WhenFull when_full_;
    Stages& stages_;
    graph::WorkloadSpec workload_;  ///< of the step
    std::int64_t replicas_;
};

}  // namespace dse::eval
