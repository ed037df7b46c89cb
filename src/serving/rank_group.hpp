#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "dse/graph/serving_engine.hpp"
#include "dse/serving/replica.hpp"
#include "dse/serving/step_time.hpp"
#include "serving/host_work.hpp"

namespace dse::serving {

class Pipeline;

/// Attention ranks that share experts: each has its own scheduler and cache, and all start and end every step
/// together, a rank without requests included (vLLM: execute_dummy_batch; SGLang: idle batches). While none
/// has any request, no steps run. A group of one is a replica without such ranks.
class RankGroup {
  public:
    /// \param ranks  number of ranks, >= 1; those that are not added never have requests
    /// \param pipeline  stages that the steps pass, and those of other groups; nullptr: no other group uses
    ///                  the devices
    RankGroup(std::size_t ranks, const graph::ServingEngine& engine, StepTime& step_time,
              Pipeline* pipeline = nullptr);

    void add(Replica& rank) { ranks_.push_back(&rank); }
    /// A step with draft tokens is scheduled as one for each token that it yields, with its share of the
    /// host's time and of the gap. Steps that only read prompts have both whole.
    /// \param tokens  >= 1
    void set_tokens_a_step(double tokens) { host_of_prompts_ = host_.of_steps(tokens); }
    /// \param checkpoint  called periodically; an exception it throws ends the run
    void set_checkpoint(std::function<void()> checkpoint) { checkpoint_ = std::move(checkpoint); }

    /// Does one thing, if it starts before this time. \returns whether there may be more to do
    bool work(Ticks until);
    /// Runs all steps that start before `time`.
    void advance(Ticks time) {
        while (work(time)) {
        }
    }
    /// When its next step starts or its next request arrives; `never`: it has answered all.
    [[nodiscard]] Ticks next_time() const;

  private:
    /// When the first of its requests arrives.
    [[nodiscard]] Ticks ready() const;
    [[nodiscard]] bool is_idle() const;
    [[nodiscard]] bool only_decodes() const;
    void step();
    void jump(Ticks until);
    [[nodiscard]] Ticks device_time();
    [[nodiscard]] Pace pace_of(const Replica& rank);
    [[nodiscard]] Pace pace();
    /// Duration of a step including the host's work for it, and its waits for other batches of a pipeline.
    /// \param decodes  sequences of the rank that decodes most; 0: the step only reads prompts
    [[nodiscard]] Ticks with_host(Ticks device_time, std::int64_t decodes);

    HostWork host_;
    HostWork host_of_prompts_{host_};
    Ticks first_chunk_time_;  ///< 0: it has passed
    graph::HostLoad host_load_;
    StepTime* step_time_;
    Pipeline* pipeline_;
    std::function<void()> checkpoint_;
    std::vector<Replica*> ranks_;
    std::vector<Batch> batches_;  ///< by rank
    Ticks now_{0};
    std::int64_t looks_{0};
};

}  // namespace dse::serving
