#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "dse/serving/host_cache.hpp"
#include "dse/serving/prefix_cache.hpp"
#include "dse/serving/recorder.hpp"
#include "dse/serving/replica.hpp"
#include "dse/serving/step_time.hpp"
#include "dse/serving/token_sender.hpp"
#include "serving/host_work.hpp"
#include "serving/pool_meter.hpp"

namespace dse::serving {

/// A request on its way through the two pools.
struct Passage {
    std::uint32_t number{0};
    std::int64_t prompt{0};
    std::int64_t output{0};
    std::int32_t priority{0};
    std::int64_t computed{0};     ///< tokens of its prompt that have been processed, or were found in a cache
    Ticks queued{0};              ///< when its prefill worker received it
    Ticks begun{0};               ///< start of its first step
    bool reads{false};            ///< whether its first step has started
    std::size_t used{0};          ///< leading pieces of the prompt that it has found in a cache
    Ticks first_token{0};         ///< when it reaches the client
    Ticks last_token{0};          ///< the same, once it is made
    bool has_first{false};        ///< whether the first token is made
    Ticks first_deadline{never};  ///< when the client gives up without its first token
    Ticks deadline{never};        ///< when it gives up without its last

    /// Whether the client has closed its connection.
    [[nodiscard]] bool gives_up(Ticks now) const {
        const bool in_time = has_first && first_token <= first_deadline;
        return deadline <= now || (first_deadline <= now && !in_time);
    }
    /// When the client has given up, if its last token arrives at this time and it has waited for neither
    /// that nor the first; never if it has waited for both.
    [[nodiscard]] Ticks gives_up_before(Ticks last) const {
        Ticks end = first_token > first_deadline ? first_deadline : never;
        if (last > deadline) end = std::min(end, deadline);
        return end;
    }
};

/// Processes prompts in order of arrival, or of priority with that policy; one that is under way goes on. Its
/// attention ranks take requests in turns, or as they are drawn, and start and end every step together.
///
/// With a prefix cache, each rank keeps the whole pieces of the prompts that it has read in its pages, from
/// the end of a prompt until others take their place, those unused for longest first. A prompt looks for its
/// leading pieces when its first step starts.
///
/// A worker whose host works ahead has composed the next step when one begins (SGLang's
/// event_loop_overlap_disagg_prefill), unless nobody else waits: it then takes who has come meanwhile.
class PrefillWorker {
  public:
    /// \param rank_seed  as PoolDeployment::rank_seed
    PrefillWorker(const ReplicaLimits& limits, StepTime& step_time, const Requests& requests,
                  std::optional<std::uint64_t> rank_seed);

    /// It arrives now.
    void push(Passage passage, Ticks now);
    [[nodiscard]] bool is_idle() const { return !steps_; }
    [[nodiscard]] bool has_work() const { return present_ > 0; }
    /// Number of its requests.
    [[nodiscard]] std::size_t load() const { return static_cast<std::size_t>(present_); }

    /// Between two steps: forgets requests whose clients have given up, and appends them to `gone`.
    void drop(Ticks now, std::vector<Passage>& gone);
    /// Starts a step. \returns its duration
    Ticks begin(Ticks now, Recorder& recorder, PoolMeter& meter);
    /// \param done  requests whose prompts are complete are appended
    void end(std::vector<Passage>& done);

  private:
    /// Whether a request was there when the last step began, and so may be part of the next.
    [[nodiscard]] bool is_known(const Passage& passage) const { return passage.queued <= begun_; }
    [[nodiscard]] bool knows_any() const;
    /// The rank that a request comes to.
    std::size_t rank_of(std::uint32_t request);
    /// Finds the chunks of the first requests in a rank's queue that fit into a step.
    void fill(Ticks now, std::size_t rank, Recorder& recorder);
    /// Leading pieces of a prompt, but for the token at least that a step has to process.
    struct Found {
        std::size_t hits{0};    ///< in the cache of the rank
        std::size_t copied{0};  ///< further ones in host memory
    };
    [[nodiscard]] Found find(const Passage& passage, std::size_t rank) const;
    void start(Ticks now, Passage& passage, const Found& found, std::size_t rank);
    void keep_pieces(const Passage& passage, std::size_t rank);
    void leave_pieces(const Passage& passage, std::size_t used, std::size_t rank);
    /// Whether the current step leaves a part of a prompt to the next.
    [[nodiscard]] bool leaves_prompt() const;
    [[nodiscard]] std::span<const std::uint32_t> pieces_of(const Passage& passage) const;
    /// Fraction of all ranks' pages that the prompts of the current step occupy at its end.
    [[nodiscard]] double cache_use() const;

    const ReplicaLimits& limits_;
    HostWork host_;
    StepTime& step_time_;
    const Requests& requests_;
    std::vector<PrefixCache> prefixes_;        ///< by rank; empty: prompts share nothing
    std::vector<HostCache> hosts_;             ///< the same
    std::vector<std::int64_t> used_pages_;     ///< by rank: of pieces that current prompts use
    std::vector<std::deque<Passage>> queues_;  ///< by rank
    std::vector<std::vector<Chunk>> chunks_;   ///< of the current step, by rank
    std::vector<Batch> batches_;               ///< the same
    std::optional<std::uint64_t> rank_seed_;
    std::size_t next_{0};      ///< rank of the next request in turn, without the modulus
    std::int64_t present_{0};  ///< requests in all queues
    bool steps_{false};
    bool is_composed_{false};  ///< whether the step that begins was composed when the last one began
    bool works_ahead_;         ///< whether it composes the next step when one begins
    Ticks begun_{-1};          ///< when the last step began
    Ticks first_chunk_time_;   ///< 0: it has passed
};

/// An attention rank of a decode worker: generates answers from the KV caches that it receives.
class DecodeRank {
  public:
    /// \param returns_first  whether it returns the first token, when it admits a request
    DecodeRank(const ReplicaLimits& limits, bool returns_first)
        : limits_{limits},
          returns_first_{returns_first},
          free_{limits.pages},
          sender_{to_ticks(limits.engine.send_time.value())} {}

    void push(const Passage& passage);
    /// Number of its requests.
    [[nodiscard]] std::size_t load() const { return queue_.size() + running_.size(); }

    /// Between two steps: forgets requests whose clients have given up, and appends them to `gone`.
    void drop(Ticks now, std::vector<Passage>& gone);
    /// Admits requests that fit, and returns their first tokens if it does so.
    /// \returns those that a step generates tokens for; none if it has no requests
    const Decodes& let_in(Ticks now);
    /// A step starts.
    void begin(Ticks now, Ticks duration, Recorder& recorder, PoolMeter& meter) const;
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
    /// A request of which the client has only the first token, or not even that: a prefill worker whose
    /// sender lags behind may send it after this rank has made others, which then arrive with it.
    struct Fresh {
        std::uint32_t number{0};
        Ticks first_token{0};
    };
    [[nodiscard]] std::int64_t pages_of(const Passage& passage) const;
    void forget(const Passage& passage);

    const ReplicaLimits& limits_;
    bool returns_first_;
    std::deque<Passage> queue_;
    std::vector<Running> running_;  ///< a heap
    std::vector<Fresh> fresh_;
    std::int64_t free_;  ///< pages
    std::int64_t step_{0};
    Decodes decodes_;
    TokenSender sender_;
    Ticks sent_{0};  ///< when the tokens of the last step arrive
};

/// Generates answers. Its attention ranks start and end every step together; a rank without requests takes
/// part as well.
class DecodeWorker {
  public:
    /// \param ranks  its own, contiguous
    DecodeWorker(const graph::ServingEngine& engine, StepTime& step_time, std::span<DecodeRank> ranks)
        : host_{engine}, step_time_{step_time}, ranks_{ranks}, batches_(ranks.size()) {}

    [[nodiscard]] bool is_idle() const { return duration_ == 0; }
    /// As PrefillWorker::drop().
    void drop(Ticks now, std::vector<Passage>& gone) {
        for (DecodeRank& rank : ranks_) rank.drop(now, gone);
    }
    /// Admits requests, and starts a step. \returns its duration; 0 if there are no requests
    Ticks begin(Ticks now, Recorder& recorder, PoolMeter& meter);
    /// \param done  requests that have all their tokens are appended
    void end(Ticks now, Recorder& recorder, std::vector<Passage>& done);

  private:
    HostWork host_;
    StepTime& step_time_;
    std::span<DecodeRank> ranks_;
    std::vector<Batch> batches_;  ///< of the current step, by rank
    Ticks duration_{0};           ///< of the current step; 0: it has no requests
};

}  // namespace dse::serving
