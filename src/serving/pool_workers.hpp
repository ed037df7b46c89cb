#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "dse/serving/recorder.hpp"
#include "dse/serving/replica.hpp"
#include "dse/serving/step_time.hpp"
#include "serving/pool_meter.hpp"

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

/// Processes prompts, first come first served. Its attention ranks take requests in turns, and start and end
/// every step together.
class PrefillWorker {
  public:
    PrefillWorker(const ReplicaLimits& limits, StepTime& step_time)
        : limits_{limits},
          step_time_{step_time},
          queues_(static_cast<std::size_t>(limits.engine.attention_dp)),
          chunks_(queues_.size()) {}

    void push(const Passage& passage) {
        queues_[next_++ % queues_.size()].push_back(passage);
        ++present_;
    }
    [[nodiscard]] bool is_idle() const { return !steps_; }
    [[nodiscard]] bool has_work() const { return present_ > 0; }

    /// Starts a step. \returns its duration
    Ticks begin(Ticks now, Recorder& recorder, PoolMeter& meter);
    /// \param done  requests whose prompts are complete are appended
    void end(std::vector<Passage>& done);

  private:
    /// Finds the chunks of the first requests in a queue that fit into a step.
    void fill(Ticks now, std::deque<Passage>& queue, std::vector<Chunk>& chunks) const;
    /// Fraction of all ranks' pages that the prompts of the current step occupy at its end.
    [[nodiscard]] double cache_use() const;

    const ReplicaLimits& limits_;
    StepTime& step_time_;
    std::vector<std::deque<Passage>> queues_;  ///< by rank
    std::vector<std::vector<Chunk>> chunks_;   ///< of the current step, by rank
    std::size_t next_{0};                      ///< rank of the next request, without the modulus
    std::int64_t present_{0};                  ///< requests in all queues
    bool steps_{false};
};

/// Generates answers from the KV caches that it receives.
class DecodeWorker {
  public:
    /// \param returns_first  whether it returns the first token, when it admits a request
    DecodeWorker(const ReplicaLimits& limits, StepTime& step_time, bool returns_first)
        : limits_{limits}, step_time_{step_time}, returns_first_{returns_first}, free_{limits.pages} {}

    void push(const Passage& passage) { queue_.push_back(passage); }
    [[nodiscard]] bool is_idle() const { return !steps_; }

    /// Admits requests that fit, and starts a step. \returns its duration; 0 if there are no requests
    Ticks begin(Ticks now, Recorder& recorder, PoolMeter& meter);
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
    void let_in(Ticks now);

    const ReplicaLimits& limits_;
    StepTime& step_time_;
    bool returns_first_;
    std::deque<Passage> queue_;
    std::vector<Running> running_;  ///< a heap
    std::vector<Ticks> fresh_;      ///< first-token times of the requests in their first step
    std::int64_t free_;             ///< pages
    std::int64_t step_{0};
    Decodes decodes_;
    bool steps_{false};
};

}  // namespace dse::serving
