#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "dse/serving/recorder.hpp"
#include "dse/serving/replica.hpp"
#include "dse/serving/step_time.hpp"

namespace dse::serving {

/// A request on its way through the two pools.
struct Passage {
    std::uint32_t number{0};
    std::int64_t prompt{0};
    std::int64_t output{0};
    std::int64_t computed{0};  ///< tokens of its prompt that have been processed
    Ticks begun{0};            ///< start of its first step
    Ticks first_token{0};
};

/// Processes prompts, first come first served.
class PrefillWorker {
  public:
    PrefillWorker(const ReplicaLimits& limits, StepTime& step_time)
        : limits_{limits}, step_time_{step_time} {}

    void push(const Passage& passage) { queue_.push_back(passage); }
    [[nodiscard]] bool is_idle() const { return chunks_.empty(); }
    [[nodiscard]] bool has_work() const { return !queue_.empty(); }

    /// Starts a step. \returns its duration
    Ticks begin(Ticks now, Recorder& recorder);
    /// \param done  requests whose prompts are complete are appended
    void end(std::vector<Passage>& done);

  private:
    const ReplicaLimits& limits_;
    StepTime& step_time_;
    std::deque<Passage> queue_;
    std::vector<Chunk> chunks_;  ///< chunks of the current step, of the first requests in the queue
};

/// Generates answers from the KV caches that it receives.
class DecodeWorker {
  public:
    DecodeWorker(const ReplicaLimits& limits, StepTime& step_time)
        : limits_{limits}, step_time_{step_time}, free_{limits.pages} {}

    void push(const Passage& passage) { queue_.push_back(passage); }
    [[nodiscard]] bool is_idle() const { return !steps_; }

    /// Admits requests that fit, and starts a step. \returns its duration; 0 if there are no requests
    Ticks begin(Recorder& recorder);
    /// \param done  requests that have all their tokens are appended
    void end(Ticks now, Ticks duration, Recorder& recorder, std::vector<Passage>& done);

  private:
    struct Running {
        std::int64_t end{0};  ///< number of the step after which it ends
        Passage passage;
        friend bool operator>(const Running& a, const Running& b) {
            return a.end != b.end ? a.end > b.end : a.passage.number > b.passage.number;
        }
    };
    [[nodiscard]] std::int64_t pages_of(const Passage& passage) const;
    void let_in();

    const ReplicaLimits& limits_;
    StepTime& step_time_;
    std::deque<Passage> queue_;
    std::vector<Running> running_;  ///< a heap
    std::vector<Ticks> fresh_;      ///< first-token times of the requests in their first step
    std::int64_t free_;             ///< pages
    std::int64_t step_{0};
    Decodes decodes_;
    bool steps_{false};
};

}  // namespace dse::serving
