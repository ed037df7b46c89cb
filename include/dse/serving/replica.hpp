#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "dse/graph/serving_engine.hpp"
#include "dse/serving/paged_cache.hpp"
#include "dse/serving/prefix_cache.hpp"
#include "dse/serving/recorder.hpp"
#include "dse/serving/request.hpp"
#include "dse/serving/request_queue.hpp"
#include "dse/serving/step_time.hpp"

namespace dse::serving {

/// The requests that one replica answers: every `stride`-th from `first` on.
struct Share {
    Requests& requests;
    std::size_t first{0};
    std::size_t stride{1};
    std::int64_t clients{0};  ///< of a closed loop, which sets the arrivals; 0: they stand
    /// Those that a router has sent it so far, in the place of every `stride`-th.
    RequestQueue* routed{nullptr};
};

/// A step of the schedule, for those who watch it.
struct StepReport {
    Ticks start{0};
    Ticks duration{0};
    Decodes decodes;
    std::span<const Chunk> chunks;
    std::int64_t steps{1};  ///< equal in kind, that follow one another: duration is that of all
    std::int64_t preempted{0};
};

/// What a replica may do.
struct ReplicaLimits {
    std::int64_t pages{0};
    std::int64_t page_tokens{16};
    graph::ServingEngine engine;
};

/// One copy of a model that answers requests by the rules of vLLM's scheduler (v1, vllm/v1/core/sched): what
/// runs comes first, in the order in which it was let in; then who came first, as long as the step has tokens
/// and the cache has pages; prompts may be read in pieces; where pages lack, the last let in gives its own
/// back, and begins again with what it has generated for its prompt.
///
/// Scheduler `tensorrt` (TensorRT-LLM, GUARANTEED_NO_EVICT) lets in only what has pages to its end.
///
/// Scheduler `sglang` (SGLang, sglang/srt/managers: schedule_policy, schedule_batch) reads prompts in steps
/// of their own, as long as anybody waits who may be let in; those who decode wait meanwhile. Let in is who
/// finds tokens for all that it will read and generate, beside a share of what those who decode may still
/// generate: 0.7 at first, less with every step that decodes, down to 0.098 after 600; what those left have
/// generated and 20 tokens more of each, over all that they may, after somebody was turned out. Where pages
/// lack, those with the fewest tokens are (of several the one with the longest prompt, of these the last let
/// in), and wait behind all others.
///
/// With `receive_every` it looks for new requests after so many steps that decode, or one that reads, or
/// while it has nothing to do (scheduler_recv_interval). Scheduler `tensorrt` with `hold_steps`: while others
/// decode, prompts wait so many steps for more of them, if all tokens of the step are less than `hold_share`
/// of token_budget (py_executor: batch_wait_timeout_iters, batch_wait_max_tokens_ratio).
///
/// Steps between two events that all only decode are one: what is done for them does not depend on their
/// number. Nothing is allocated a step.
class Replica {
  public:
    /// \param share  what it answers, once: see serve()
    Replica(const ReplicaLimits& limits, const Share& share, StepTime& step_time, Recorder& recorder);

    /// \param watch  called for each step, or run of steps; may be empty
    void set_watch(std::function<void(const StepReport&)> watch) { watch_ = std::move(watch); }
    /// \param checkpoint  called now and then; what it throws ends the run
    void set_checkpoint(std::function<void()> checkpoint) { checkpoint_ = std::move(checkpoint); }

    /// Answers all of them.
    void serve();

    // Of a share that is routed: by turns, and serve() at the end.
    /// Begins all steps that begin before this time.
    void advance(Ticks time);
    /// Takes up the last of its routed requests, which arrives now.
    void take_up();
    /// Requests that were sent and not answered. \param time  up to which it has advanced
    [[nodiscard]] std::size_t load(Ticks time) const;
    /// End of its last step. \returns since when it has nothing to do, where its load is 0
    [[nodiscard]] Ticks idle_since() const { return now_; }

  private:
    /// Somebody who was let in, or preempted.
    struct Sequence {
        const Request* request{nullptr};
        std::int64_t admitted{0};               ///< how many were let in before it
        std::size_t number{0};                  ///< of it, in the share
        std::span<const std::uint32_t> pieces;  ///< that its prompt is full of
        std::vector<std::uint32_t> used;        ///< of them, in the prefix cache
        std::size_t looked_at{0};               ///< pieces that were added, or were there
        std::int64_t generated{0};              ///< tokens, before those that are being read
        std::int64_t target{0};                 ///< tokens to read before the next is generated
        std::int64_t computed{0};               ///< of them, while it reads
        std::int64_t offset{0};  ///< while it decodes: cached tokens less the number of the step
        std::int64_t finish{0};  ///< the same: step after which it has ended
        Ticks first_token{0};
        Ticks last_token{0};  ///< of one that was preempted
        std::int32_t before{-1};
        std::int32_t after{-1};
        bool decodes{false};
    };
    using Slot = std::int32_t;
    static constexpr Slot nobody = -1;
    struct End {
        std::int64_t step;
        std::int64_t admitted;  ///< of one step, in the order in which they were let in
        Slot slot;
    };

    // Requests
    /// One thing after another, up to this time. \returns whether there is more
    bool work(Ticks until);
    void receive();
    [[nodiscard]] bool looks() const;
    void send_next();
    void expect_next();
    [[nodiscard]] bool is_closed() const { return share_.clients > 0; }
    [[nodiscard]] std::size_t count() const;
    [[nodiscard]] Request& request(std::size_t number) const;
    /// In the requests of all.
    [[nodiscard]] std::size_t place_of(std::size_t number) const;
    [[nodiscard]] std::int64_t waiting() const;

    // What a step does
    void step();
    std::int64_t make_room();
    void read_on(std::int64_t& budget, std::int64_t& preempted);
    /// What the first who waits would do in this step.
    struct Entry {
        std::size_t hits{0};         ///< pieces that it finds
        std::int64_t tokens{0};      ///< that it reads; 0 where it is not let in
        std::int64_t pages{0};       ///< that it takes
        std::int64_t idle_pages{0};  ///< of the pieces that it finds and nobody uses
    };
    [[nodiscard]] Entry entry(std::int64_t budget) const;
    void admit(const Entry& entry, std::int64_t& budget);
    [[nodiscard]] bool has_room(std::int64_t pages, const Request& request) const;
    /// Of a step, with what the host does for it.
    [[nodiscard]] Ticks with_host(Ticks device_time, std::int64_t sequences) const;
    [[nodiscard]] DecodeLine with_host(const DecodeLine& line) const;
    [[nodiscard]] Ticks host_time(std::int64_t sequences) const {
        return host_time_ + host_time_sequence_ * sequences;
    }
    void end_step(Ticks duration);
    void read();
    void generate(Slot slot);

    // Prompts that wait for others
    bool holds_prompts(std::int64_t budget);
    [[nodiscard]] std::int64_t tokens_to_read(std::int64_t budget) const;

    // What a step does by SGLang's rules
    [[nodiscard]] bool prompts_first() const { return limits_.engine.scheduler == graph::Scheduler::sglang; }
    void step_apart();
    void read_prompts();
    void decode_alone();
    std::int64_t turn_out();
    [[nodiscard]] Slot least_generated() const;
    void keep_after_turning_out();
    [[nodiscard]] bool has_tokens(const Entry& entry, std::int64_t tokens) const;
    void decay(std::int64_t steps);

    // Many at once
    [[nodiscard]] bool only_decodes() const;
    /// Whether pages that are taken may be those of pieces that the first who waits would find: without
    /// them it may need fewer pages, and be let in.
    [[nodiscard]] bool may_lose_hits() const;
    std::int64_t steps_until_event(const DecodeLine& line);
    [[nodiscard]] std::int64_t steps_until(Ticks time, const DecodeLine& line, std::int64_t most) const;
    [[nodiscard]] std::int64_t steps_until_look(const DecodeLine& line, std::int64_t most) const;
    [[nodiscard]] Ticks duration_of(const DecodeLine& line, std::int64_t steps) const;
    void jump();

    // Who is under way
    /// The first of all who wait, where it was preempted; nobody where it is a new request.
    [[nodiscard]] Slot first_preempted() const;
    Slot next_slot();
    void append(Slot slot);
    /// Takes back what it holds.
    void remove(Slot slot);
    void add_pieces(Slot slot, std::int64_t tokens);
    void leave_pieces(Slot slot);
    [[nodiscard]] std::span<const std::uint32_t> pieces_of(std::size_t number) const;
    void take(std::int64_t pages);
    void give(std::int64_t pages);
    void start_decoding(Slot slot);
    void stop_decoding(Slot slot);
    void preempt(Slot slot);
    void finish(Slot slot);
    void finish_those_done();
    void drop_stale_ends();
    [[nodiscard]] std::int64_t held_pages(const Sequence& sequence) const;
    [[nodiscard]] static std::int64_t whole_tokens(const Request& request) {
        return std::int64_t{request.prompt} + request.output - 1;
    }
    [[nodiscard]] std::int64_t whole_pages(const Request& request) const;
    Sequence& at(Slot slot) { return sequences_[static_cast<std::size_t>(slot)]; }
    [[nodiscard]] const Sequence& at(Slot slot) const { return sequences_[static_cast<std::size_t>(slot)]; }

    [[nodiscard]] double use_of(std::int64_t pages) const;
    void report(Ticks duration, std::int64_t steps, std::int64_t preempted) const;

    ReplicaLimits limits_;
    std::int64_t watermark_pages_;
    Ticks host_time_;
    Ticks host_time_sequence_;
    Ticks tokenize_time_;
    Ticks request_time_;
    StepTime& step_time_;
    Recorder& recorder_;
    std::function<void(const StepReport&)> watch_;
    std::function<void()> checkpoint_;

    PagedCache cache_;
    PrefixCache prefixes_;
    std::int64_t reserved_{0};  ///< pages that those under way need to their ends

    Share share_;
    std::size_t sent_{0};  ///< requests of the share that clients have sent, or will at a time that is known
    std::size_t received_{0};     ///< of those, which the scheduler knows of
    std::size_t next_{0};         ///< of those, the first that waits
    std::size_t answered_{0};     ///< of those
    std::size_t load_before_{0};  ///< before the last step
    std::int64_t unlooked_{0};    ///< steps since it looked for new requests, see receive_every
    std::int64_t held_{0};        ///< steps that prompts have waited for others
    Ticks until_{never};          ///< see advance()
    Ticks tokenized_{0};          ///< when the tokenizer is done with all before the next
    Ticks ready_{never};          ///< when the scheduler will know of the next

    std::vector<Sequence> sequences_;
    std::vector<Slot> free_slots_;
    std::vector<Slot> preempted_;      ///< wait before all others, the last first; see places_
    std::vector<std::size_t> places_;  ///< by SGLang's rules: how many had come before each of preempted_
    Slot head_{nobody};
    Slot tail_{nobody};
    Slot reader_{nobody};  ///< is in the middle of its prompt; always the last let in
    std::int64_t running_{0};
    std::int64_t admitted_{0};
    Decodes decodes_;        ///< of the next step
    std::vector<End> ends_;  ///< a heap; those of sequences that were preempted are stale
    std::vector<Chunk> chunks_;
    std::vector<Slot> readers_;  ///< of the chunks

    // By SGLang's rules
    std::vector<Slot> fresh_;   ///< decode, and have not had a step that does
    Ticks last_decode_{0};      ///< end of the last step that decoded
    std::int64_t promised_{0};  ///< tokens that those whose prompts are being read will need yet
    std::int64_t finishes_{0};  ///< sum of Sequence::finish of those who decode
    std::int64_t kept_;         ///< share of what they may generate, in whole_share-ths

    Ticks now_{0};
    std::int64_t step_number_{0};
    std::int64_t looks_{0};
};

}  // namespace dse::serving
