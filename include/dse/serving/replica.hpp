#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "dse/graph/request_patience.hpp"
#include "dse/graph/serving_engine.hpp"
#include "dse/serving/adapter_slots.hpp"
#include "dse/serving/host_cache.hpp"
#include "dse/serving/inbox.hpp"
#include "dse/serving/pace.hpp"
#include "dse/serving/paged_cache.hpp"
#include "dse/serving/prefix_cache.hpp"
#include "dse/serving/recorder.hpp"
#include "dse/serving/replica_limits.hpp"
#include "dse/serving/request.hpp"
#include "dse/serving/sequence.hpp"
#include "dse/serving/step_time.hpp"
#include "dse/serving/token_sender.hpp"

namespace dse::serving {

/// A step of the schedule, as reported to an observer.
struct StepReport {
    Ticks start{0};
    Ticks duration{0};
    Decodes decodes;
    std::span<const Chunk> chunks;
    std::int64_t steps{1};  ///< number of consecutive steps of the same kind; duration is their sum
    std::int64_t preempted{0};
};

/// The scheduler and cache of one copy of a model, or of one of its attention ranks. A RankGroup times its
/// steps.
///
/// It answers requests by the rules of vLLM's scheduler (v1, vllm/v1/core/sched).
/// Running requests come first, in order of admission; then waiting requests are admitted first come, first
/// served, while the step has tokens and the cache has pages. Prompts may be processed in chunks. If pages
/// run out, the request admitted last is preempted: it releases its pages and later starts over, with the
/// tokens it has generated as part of its prompt. With a prefix cache it finds again what its whole pages
/// contained, as far as nobody has taken them since.
///
/// With a host cache, what that holds of a prompt beyond what the device's cache does is copied in the step
/// that admits the prompt. Pages of answers are shared, too, once these are complete, if requests name them.
///
/// Scheduler `tensorrt` (TensorRT-LLM, GUARANTEED_NO_EVICT) only admits requests whose pages are guaranteed
/// until their end.
///
/// Scheduler `sglang` (SGLang, sglang/srt/managers: schedule_policy, schedule_batch) processes prompts in
/// steps of their own as long as a waiting request can be admitted; decoding requests wait meanwhile. A
/// request is admitted if there is room for all tokens that it will read and generate, on top of a share of
/// what the decoding requests may still generate. This share starts at 0.7 and falls with every decode step,
/// to 0.098 after 600. After a retraction it is set to the tokens that the remaining requests have generated
/// plus 20 per request, divided by the total that they may generate. If pages run out, the requests with the
/// fewest generated tokens are retracted (among equals the one with the longest prompt, then the one admitted
/// last) and queue behind all others.
///
/// With policy `priority` (vLLM's --scheduling-policy), waiting requests, preempted ones among them, enter in
/// the order of their priorities, then of their arrival; if pages run out, the running request that is the
/// last in this order is preempted. A request that runs keeps its place until then, whoever waits.
///
/// Clients that give up close their connections, which the scheduler learns when it looks for new requests.
/// It releases what the request holds.
///
/// With adapters, running requests name at most max_loras different ones. Scheduler vllm passes over waiting
/// requests whose adapter would be one more (`scheduled_loras`). So does `tensorrt`, except over one that the
/// cache has no pages for either (capacityScheduler.cpp); `sglang` waits for the first request.
///
/// An engine whose host works ahead has composed the next step when one begins, so that a request that
/// arrives meanwhile enters the step after the next (vLLM's step_with_batch_queue, SGLang's
/// event_loop_overlap, TensorRT-LLM's _executor_loop_overlap). One with nothing to do takes it at once.
///
/// With `receive_every` (or look_every) the scheduler looks for new requests only after that many decode
/// steps, after a prefill step, or while it is idle (scheduler_recv_interval). Scheduler `tensorrt` with
/// `hold_steps`: while others decode, prompts wait up to that many steps for more prompts if those that would
/// be processed and the decoding requests have fewer tokens than `hold_share` of token_budget (py_executor:
/// batch_wait_timeout_iters, batch_wait_max_tokens_ratio).
///
/// Steps between two events that only decode are simulated as one, at a cost independent of their number. No
/// memory is allocated per step.
class Replica {
  public:
    /// \param share  the requests to answer, each once; see serve()
    Replica(const ReplicaLimits& limits, const Share& share, Recorder& recorder);

    /// \param watch  called for each step or run of steps; may be empty
    void set_watch(std::function<void(const StepReport&)> watch) { watch_ = std::move(watch); }

    // Its requests
    /// Clients send their first requests, or the first one to arrive is awaited.
    void open();
    /// All requests are answered.
    void close();
    /// Accepts the last of its routed requests, which arrives now.
    void take_up();
    /// Number of requests that were sent but not answered.
    /// \param time  time up to which its group has advanced
    [[nodiscard]] std::size_t load(Ticks time) const;
    /// End of the last step. \returns since when it has nothing to do, where its load is 0
    [[nodiscard]] Ticks idle_since() const { return finished_; }

    // Its steps, as its group lets time pass
    [[nodiscard]] bool is_idle() const { return running_ == 0 && waiting() == 0; }
    /// When the scheduler will receive the next request; `never`: it has received all.
    [[nodiscard]] Ticks ready() const { return inbox_.ready(); }
    /// Receives the requests that have arrived, if it looks for them now.
    void look();
    /// Nobody of the group has anything to do until this time.
    void rest(Ticks until);
    /// A step or a run of steps is about to begin.
    void begin();
    /// Whether the next step, and possibly many more, only decode.
    [[nodiscard]] bool only_decodes() const;
    [[nodiscard]] const Decodes& decodes() const { return decodes_; }
    /// Number of distinct adapters that its running requests name.
    [[nodiscard]] std::int64_t adapters() const { return std::ssize(adapters_.active()); }
    /// Number of steps, at most `most`, until a sequence ends or pages run out.
    std::int64_t steps_until_end(std::int64_t most);
    /// Number of steps, at most `most`, until a request arrives that can be admitted at once. (None can be
    /// while others wait or all slots are taken.)
    /// \param pace  of its group
    [[nodiscard]] std::int64_t steps_until_request(const Pace& pace, std::int64_t most) const;
    /// Takes part in a run of steps that only decode.
    void jump(const Pace& pace, std::int64_t steps);
    /// Decides what to process in the next step. \returns whether there is anything
    bool plan();
    [[nodiscard]] Batch batch() const;
    /// Whether the planned step leaves a part of a prompt to the next.
    [[nodiscard]] bool leaves_prompt() const;
    /// The planned step takes this long. Without a batch it waits for others.
    void pass(Ticks duration);

  private:
    using Slot = std::int32_t;
    static constexpr Slot nobody = -1;
    struct End {
        std::int64_t step;
        std::int64_t admitted;  ///< breaks ties within a step: order of admission
        Slot slot;
    };

    /// A waiting request, in the order of policy priority.
    struct Turn {
        std::int32_t priority{0};
        Ticks arrival{0};
        std::size_t number{0};
        Slot slot{nobody};  ///< if it was preempted
        friend auto operator<=>(const Turn&, const Turn&) = default;
    };
    /// When the client of a request gives up, unless it is answered.
    struct Deadline {
        Ticks time{0};
        std::size_t number{0};
        bool first_token{false};  ///< rather than the whole answer
        friend auto operator<=>(const Deadline&, const Deadline&) = default;
    };

    // Requests
    void receive();
    [[nodiscard]] bool looks() const;
    /// Whether a request that arrives during a step has to wait for the next one, too.
    [[nodiscard]] bool is_ahead() const { return limits_.engine.asynchronous && !is_idle(); }
    [[nodiscard]] Request& request(std::size_t number) const { return inbox_.request(number); }
    [[nodiscard]] std::int64_t waiting() const {
        return by_priority_
                   ? std::ssize(turns_)
                   : static_cast<std::int64_t>(preempted_.size() + inbox_.received() - next_ - passed_over_);
    }
    void receive_one();
    /// The waiting request that enters next.
    struct Waiter {
        Slot slot{nobody};      ///< if it was preempted
        std::size_t number{0};  ///< of a new request in the share
        bool exists{false};
    };
    [[nodiscard]] Waiter first_waiting() const;
    [[nodiscard]] bool allows(const Request& request) const {
        return !has_adapters() || adapters_.allow(request.adapter);
    }
    [[nodiscard]] bool has_adapters() const { return limits_.adapters > 0; }
    /// Whether the request, which the scheduler knows of, has not been admitted yet.
    [[nodiscard]] bool waits(std::size_t number) const;
    /// Whether this one may enter before those that came earlier and still wait.
    [[nodiscard]] bool may_pass(const Waiter& waiter) const;

    // Priorities
    [[nodiscard]] static Turn turn_of(const Request& request, std::size_t number, Slot slot) {
        return {request.priority, request.arrival, number, slot};
    }
    /// The running request that is preempted first.
    [[nodiscard]] Slot last_in_turn() const;
    Slot preempt_last_in_turn(std::int64_t before);
    std::int64_t make_room_by_priority();
    void make_room_for_reader(std::int64_t pages, std::int64_t& preempted);

    // Clients that give up
    void await_end(std::size_t number);
    void give_up();
    [[nodiscard]] std::optional<Ticks> when_given_up(const Sequence& sequence) const;
    void abandon(std::size_t number);
    void leave_line(std::size_t number);
    void drop(Slot slot);
    void skip_entered();
    void end(std::size_t number, Ticks free);
    [[nodiscard]] const graph::RequestPatience* patience_of(const Request& request) const {
        return limits_.patience.empty() ? nullptr : &limits_.patience[request.kind];
    }

    // Actions of a step
    std::int64_t make_room();
    void read_on(std::int64_t& budget, std::int64_t& preempted);
    /// What the first waiting request would do in this step.
    struct Entry {
        std::size_t hits{0};         ///< cached pieces that it finds
        std::size_t copied{0};       ///< further ones that it finds in host memory
        std::int64_t tokens{0};      ///< tokens that it processes; 0 if it is not admitted
        std::int64_t pages{0};       ///< pages that it takes
        std::int64_t left{0};        ///< pages that it left behind when it was preempted, and finds again
        std::int64_t idle_pages{0};  ///< these, and pages of the pieces that it finds and no other uses
    };
    [[nodiscard]] Entry entry(std::int64_t budget) const;
    [[nodiscard]] std::int64_t tokens_in(std::size_t pieces) const {
        return static_cast<std::int64_t>(pieces) * requests_.piece_tokens;
    }
    /// Tokens of the request that the cache or host memory holds.
    [[nodiscard]] std::int64_t cached_tokens(const Entry& entry) const;
    [[nodiscard]] Ticks copy_time() const;
    void admit(const Entry& entry, std::int64_t& budget);
    [[nodiscard]] bool has_room(std::int64_t pages, const Request& request) const;
    void wait(Ticks duration);
    void end_step(Ticks duration);
    void read();
    /// Sends the tokens of the planned step, which ends at this time. \param decoding  number of sequences
    void send_tokens(Ticks time, std::int64_t decoding);
    void generate(Slot slot);

    // Prompts that wait for others
    bool holds_prompts(std::int64_t budget);
    [[nodiscard]] std::int64_t tokens_to_read(std::int64_t budget);

    // SGLang's steps
    [[nodiscard]] bool prompts_first() const { return limits_.engine.scheduler == graph::Scheduler::sglang; }
    bool plan_apart();
    bool plan_decodes();
    void pass_apart(Ticks duration);
    void read_prompts(Ticks duration);
    void decode_alone(Ticks duration);
    std::int64_t turn_out();
    [[nodiscard]] Slot least_generated() const;
    void keep_after_turning_out();
    [[nodiscard]] bool has_tokens(const Entry& entry, std::int64_t tokens) const;
    void decay(std::int64_t steps);

    // Runs of decode steps
    /// Whether taking pages may evict pieces that the first waiting request would find: without them it may
    /// need fewer pages, and so be admitted.
    [[nodiscard]] bool may_lose_hits() const;
    [[nodiscard]] std::int64_t steps_until_look(const Pace& pace, Ticks news, std::int64_t most,
                                                std::int64_t later) const;

    // Sequences
    /// The first of all waiting requests if it was preempted; nobody if it is a new request.
    [[nodiscard]] Slot first_preempted() const;
    Slot next_slot();
    void take_number(std::size_t number);
    void append(Slot slot);
    /// Releases everything that it holds.
    /// \param left  pages behind its pieces whose contents it may find again
    void remove(Slot slot, std::int64_t left = 0);
    void add_pieces(Slot slot, std::int64_t tokens);
    void leave_pieces(Slot slot, std::int64_t left);
    /// Whole pages behind its pieces, which only it can find again; none without a prefix cache.
    [[nodiscard]] std::int64_t own_pages(const Sequence& sequence) const;
    /// Of a preempted sequence: what it finds again if all of its pieces are cached.
    [[nodiscard]] std::int64_t left_behind(Slot slot) const {
        return prefixes_.left_behind(static_cast<std::uint32_t>(slot));
    }
    [[nodiscard]] std::span<const std::uint32_t> pieces_of(std::size_t number) const;
    void take(std::int64_t pages);
    void give(std::int64_t pages);
    void start_decoding(Slot slot);
    void stop_decoding(Slot slot);
    void preempt(Slot slot);
    void name_answer(Slot slot);
    void finish(Slot slot);
    void finish_those_done();
    void drop_stale_ends();
    /// Whether a decoding sequence needs another page in the planned step.
    [[nodiscard]] bool takes_page(const Sequence& sequence) const {
        return (sequence.offset + step_number_) % limits_.page_tokens == 0;
    }
    [[nodiscard]] std::int64_t held_pages(const Sequence& sequence) const;
    [[nodiscard]] static std::int64_t whole_tokens(const Request& request) {
        return std::int64_t{request.prompt} + request.output - 1;
    }
    [[nodiscard]] std::int64_t whole_pages(const Request& request) const;
    Sequence& at(Slot slot) { return sequences_[static_cast<std::size_t>(slot)]; }
    [[nodiscard]] const Sequence& at(Slot slot) const { return sequences_[static_cast<std::size_t>(slot)]; }

    [[nodiscard]] double use_of(std::int64_t pages) const;
    void report(Ticks duration, std::int64_t steps) const;

    ReplicaLimits limits_;
    std::int64_t watermark_pages_;
    std::int64_t look_every_;
    TokenSender sender_;
    Recorder& recorder_;
    std::function<void(const StepReport&)> watch_;

    PagedCache cache_;
    PrefixCache prefixes_;
    HostCache host_cache_;
    AdapterSlots adapters_;
    std::vector<std::uint32_t> named_;  ///< adapters in use if what tokens_to_read() counts were admitted
    std::size_t passed_{0};     ///< requests before this one have entered or been passed over in this step
    std::int64_t loads_{0};     ///< adapters that the planned step waits for
    std::int64_t copied_{0};    ///< tokens whose cache the planned step copies from host memory
    std::int64_t reserved_{0};  ///< pages that admitted requests need until their end

    const Requests& requests_;
    Inbox inbox_;
    std::uint32_t number_;        ///< of this replica
    std::size_t next_{0};         ///< of the received requests: the first that waits
    std::size_t passed_over_{0};  ///< of the received requests after next_: those that have entered
    std::size_t answered_{0};     ///< of the sent requests
    std::size_t load_before_{0};  ///< load() before the last step
    std::int64_t unlooked_{0};    ///< steps since the scheduler last looked for new requests, see
                                  ///< receive_every
    bool looked_{false};          ///< for new requests, since the last step
    std::int64_t held_{0};        ///< steps that prompts have waited for others

    std::vector<Sequence> sequences_;
    std::vector<Slot> free_slots_;
    bool by_priority_;
    std::set<Turn> turns_;                           ///< policy priority: all that wait
    std::set<Deadline> deadlines_;                   ///< of clients that may give up
    std::unordered_map<std::size_t, Slot> unended_;  ///< their requests that the scheduler knows of
    std::set<std::size_t> left_;       ///< numbers after next_ whose clients gave up before they entered
    std::vector<Slot> preempted_;      ///< wait before all others, the last one first; for SGLang see places_
    std::vector<std::size_t> places_;  ///< SGLang: requests received before each entry of preempted_ was
                                       ///< retracted
    Slot head_{nobody};
    Slot tail_{nobody};
    Slot reader_{nobody};  ///< in the middle of its prompt; always the one admitted last
    std::int64_t running_{0};
    std::int64_t admitted_{0};
    Decodes decodes_;        ///< of the next step
    std::vector<End> ends_;  ///< a heap; entries of preempted sequences are stale
    std::vector<Chunk> chunks_;
    std::vector<Slot> readers_;   ///< sequences of the chunks
    std::int64_t turned_out_{0};  ///< sequences preempted in the planned step

    // SGLang only:
    std::vector<Slot> fresh_;   ///< decoding, but have not yet taken part in a decode step
    Ticks last_decode_{0};      ///< end of the last step that decoded
    Ticks last_decoded_{0};     ///< arrival of its tokens
    std::int64_t promised_{0};  ///< tokens still needed by the sequences that are in prefill
    std::int64_t finishes_{0};  ///< sum of Sequence::finish over the decoding sequences
    std::int64_t kept_;         ///< share of their remaining tokens that is reserved, in units of 1 /
                                ///< whole_share

    Ticks now_{0};
    Ticks begun_{0};     ///< beginning of the last step
    Ticks finished_{0};  ///< end of its last step
    std::int64_t step_number_{0};
};

}  // namespace dse::serving
