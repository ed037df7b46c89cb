#include "dse/serving/pools.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <queue>
#include <span>
#include <tuple>
#include <vector>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/graph/serving_conflicts.hpp"
#include "dse/serving/closed_loop.hpp"
#include "dse/serving/token_sender.hpp"
#include "serving/pool_front_end.hpp"
#include "serving/pool_workers.hpp"
#include "serving/router.hpp"
#include "serving/unfit.hpp"

namespace dse::serving {
namespace {

constexpr std::int64_t events_between_checks = 4096;

/// Kinds of events. Simultaneous events are handled in this order.
enum class What : std::uint8_t { prompts_read, tokens_made, cache_arrives, request_arrives, client_sends };

/// Instead of the index of a request: the first that no client has sent, if there is any.
constexpr std::size_t first_unsent = std::numeric_limits<std::size_t>::max();

struct Event {
    Ticks time{0};
    What what{};
    std::size_t which{0};  ///< index of the worker or request
    friend bool operator>(const Event& a, const Event& b) {
        return std::tie(a.time, a.what, a.which) > std::tie(b.time, b.what, b.which);
    }
};

/// The two pools at work.
class Pools {
  public:
    Pools(const PoolDeployment& deployment, StepTime& prompts, StepTime& answers, Requests& requests,
          Recorder& recorder)
        : deployment_{deployment},
          requests_{requests},
          recorder_{recorder},
          front_end_{deployment.prefill.engine},
          rule_{deployment.prefill.engine.router},
          router_{rule_, requests, static_cast<std::size_t>(deployment.prefill_workers)},
          prefill_(static_cast<std::size_t>(deployment.prefill_workers),
                   {deployment.prefill, prompts, requests, deployment.rank_seed}),
          ranks_(static_cast<std::size_t>(deployment.generators()),
                 {deployment.decode, deployment.first_token_waits}),
          senders_(prefill_.size(), TokenSender{to_ticks(deployment.prefill.engine.send_time.value())}),
          passages_(requests.all.size()) {
        if (deployment.clients > 0) clients_.emplace(requests, 0, 1);
        const auto together = static_cast<std::size_t>(deployment.decode_ranks);
        for (std::size_t i = 0; i < ranks_.size(); i += together)
            decode_.emplace_back(deployment.decode.engine, answers, std::span{ranks_}.subspan(i, together));
    }

    void serve(const std::function<void()>& checkpoint) {
        send_first();
        accept_sent();
        while (!events_.empty()) {
            if (checkpoint && ++looks_ % events_between_checks == 0) checkpoint();
            now_ = events_.top().time;
            do {
                do {
                    handle_events();
                    accept_sent();
                } while (happens_now());
            } while (drop_given_up());
            begin_steps();
        }
        recorder_.ended(std::max(now_, last_arrival_));
        DSE_ENSURE(answered_ == requests_.all.size());
    }

    /// \param outcome  whose pools are set; nothing if nobody was answered
    void add_use(Outcome& outcome) const {
        if (answered_ == 0 || outcome.duration <= 0.0) return;
        outcome.prefill = prefill_meter_.use(outcome.duration, deployment_.prefill_workers);
        outcome.decode = decode_meter_.use(outcome.duration, deployment_.generators());
    }

  private:
    [[nodiscard]] bool happens_now() const { return !events_.empty() && events_.top().time == now_; }
    /// All that happens now.
    void handle_events() {
        while (happens_now()) {
            const Event event = events_.top();
            events_.pop();
            happen(event);
        }
    }

    /// Workers between two steps learn which clients have given up.
    /// \returns whether something happens now, since clients have sent further requests
    bool drop_given_up() {
        if (deployment_.prefill.patience.empty()) return false;
        done_.clear();
        for (PrefillWorker& worker : prefill_) {
            if (worker.is_idle()) worker.drop(now_, done_);
        }
        for (DecodeWorker& worker : decode_) {
            if (worker.is_idle()) worker.drop(now_, done_);
        }
        for (const Passage& passage : done_) abandon(passage, now_);
        accept_sent();
        return happens_now();
    }

    /// \param time  when its client gives up, not before now
    void abandon(const Passage& passage, Ticks time) {
        recorder_.gave_up(requests_.all[passage.number]);
        leave(passage.number, time);
    }

    /// The client of a request has its answer, or has given up, and is free for its next one from then on.
    void leave(std::size_t number, Ticks time) {
        ++answered_;
        if (clients_) send_next(number, time);
    }

    /// \param answered  the last request of a client that is free from this time on; nothing: it has sent
    /// none
    void send_next(std::optional<std::size_t> answered, Ticks time) {
        const auto next = clients_->after(answered);
        if (!next) return;
        time = end_of(std::max(time, now_), next->pause);
        if (time == now_) return send_as_chosen(next->place.value_or(first_unsent));
        events_.push({time, What::client_sends, next->place.value_or(first_unsent)});
    }
    void send_as_chosen(std::size_t number) {
        if (number == first_unsent) number = sent_;
        if (number < requests_.all.size()) send(number);
    }

    void send_first() {
        for (std::int64_t i = 0; i < deployment_.clients && sent_ < requests_.all.size(); ++i)
            send_next(std::nullopt, 0);
        if (!clients_) await_next();
    }
    /// Of an open loop: the next request arrives at its own time.
    void await_next() {
        if (sent_ < requests_.all.size())
            events_.push({requests_.all[sent_].arrival, What::client_sends, first_unsent});
    }
    /// A client sends a request now.
    void send(std::size_t number) {
        ++sent_;
        Request& request = requests_.all[number];
        request.arrival = now_;
        passages_[number] = {static_cast<std::uint32_t>(number), request.prompt, request.output,
                             request.priority};
        set_deadlines(request, passages_[number]);
        front_end_.arrive(number);
        if (!clients_) await_next();
    }
    /// The front end has all that were sent now.
    void accept_sent() {
        front_end_.accept(now_, requests_.all, [&](std::size_t number, Ticks ready) {
            events_.push({ready, What::request_arrives, number});
        });
    }

    void set_deadlines(const Request& request, Passage& passage) const {
        if (deployment_.prefill.patience.empty()) return;
        const graph::RequestPatience& patience = deployment_.prefill.patience[request.kind];
        passage.first_deadline = deadline_of(request.sent(), patience.first_token_timeout.value());
        passage.deadline = deadline_of(request.sent(), patience.timeout.value());
    }

    void happen(const Event& event) {
        switch (event.what) {
            case What::prompts_read:
                done_.clear();
                prefill_[event.which].end(done_);
                for (Passage& passage : done_) hand_over(passage, event.which);
                break;
            case What::tokens_made:
                done_.clear();
                decode_[event.which].end(now_, recorder_, done_);
                for (const Passage& passage : done_)
                    finish(passage, prefill_.size() + event.which, passage.last_token);
                break;
            case What::client_sends:
                send_as_chosen(event.which);
                break;
            case What::cache_arrives:
                ranks_[next_decode()].push(passages_[event.which]);
                break;
            case What::request_arrives:
                recorder_.arrived(now_ - requests_.all[event.which].arrival);
                prefill_[next_prefill(event.which)].push(passages_[event.which], now_);
                break;
        }
    }

    template <class Worker>
    [[nodiscard]] std::vector<std::size_t> loads_of(const std::vector<Worker>& workers) const {
        std::vector<std::size_t> loads;
        loads.reserve(workers.size());
        for (const Worker& worker : workers) loads.push_back(worker.load());
        return loads;
    }
    std::size_t next_prefill(std::size_t request) {
        if (rule_ == graph::Router::round_robin) return to_prefill_++ % prefill_.size();
        return router_.choose(request, loads_of(prefill_));
    }
    /// Nothing of a prompt is in the decode pool before its cache arrives, so that only loads matter.
    std::size_t next_decode() {
        if (rule_ == graph::Router::round_robin) return to_decode_++ % ranks_.size();
        const std::vector<std::size_t> loads = loads_of(ranks_);
        return static_cast<std::size_t>(std::ranges::min_element(loads) - loads.begin());
    }

    /// \param worker  that has read the prompt
    void hand_over(Passage& passage, std::size_t worker) {
        passage.has_first = passage.output == 1 || !deployment_.first_token_waits;
        if (passage.has_first) {
            senders_[worker].send(now_, 1);
            passage.first_token = senders_[worker].arrived();
        }
        if (passage.output == 1) return finish(passage, worker, passage.first_token);
        if (passage.gives_up(now_)) return abandon(passage, now_);
        const Ticks arrival = end_of(now_, deployment_.transfer(passage.prompt, now_ - passage.begun));
        passages_[passage.number] = passage;
        events_.push({arrival, What::cache_arrives, passage.number});
    }

    /// \param worker  number among the workers of both pools, each rank of a decode worker counted
    /// \param time    when its last token arrives
    void finish(const Passage& passage, std::size_t worker, Ticks time) {
        last_arrival_ = std::max(last_arrival_, time);
        if (const Ticks end = passage.gives_up_before(time); end != never)
            return abandon(passage, std::max(now_, end));
        recorder_.answered(
            {requests_.all[passage.number], passage.first_token, time, static_cast<std::uint32_t>(worker)});
        leave(passage.number, time);
    }

    void begin_steps() {
        for (std::size_t i = 0; i < prefill_.size(); ++i) {
            if (!prefill_[i].is_idle() || !prefill_[i].has_work()) continue;
            const Ticks duration = prefill_[i].begin(now_, recorder_, prefill_meter_);
            events_.push({end_of(now_, duration), What::prompts_read, i});
        }
        for (std::size_t i = 0; i < decode_.size(); ++i) {
            if (!decode_[i].is_idle()) continue;
            const Ticks duration = decode_[i].begin(now_, recorder_, decode_meter_);
            if (duration > 0) events_.push({end_of(now_, duration), What::tokens_made, i});
        }
    }

    const PoolDeployment& deployment_;
    Requests& requests_;
    Recorder& recorder_;
    PoolFrontEnd front_end_;
    graph::Router rule_;
    RequestRouter router_;  ///< of the prefill pool
    std::vector<PrefillWorker> prefill_;
    std::vector<DecodeRank> ranks_;  ///< of all decode workers, in order
    std::vector<DecodeWorker> decode_;
    std::vector<TokenSender> senders_;  ///< of the first tokens that a prefill worker returns
    PoolMeter prefill_meter_;
    PoolMeter decode_meter_;
    std::optional<ClosedLoop> clients_;
    std::vector<Passage> passages_;
    std::vector<Passage> done_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::size_t sent_{0};
    std::size_t answered_{0};
    Ticks last_arrival_{0};
    std::size_t to_prefill_{0};
    std::size_t to_decode_{0};
    Ticks now_{0};
    std::int64_t looks_{0};
};

}  // namespace

Outcome serve_pools(const PoolDeployment& deployment, StepTime& prompts, StepTime& answers,
                    Requests& requests, const std::function<void()>& checkpoint) {
    graph::require_none(graph::conflicts_of(deployment.prefill.engine));
    graph::require_none(graph::conflicts_of(deployment.decode.engine));
    if (deployment.prefill.engine.least_replicas > 0)
        throw ModelError("least_replicas: the workers of pools always run");
    if (deployment.prefill.engine.failure_interval.value() > 0.0)
        throw ModelError("failure_interval: the workers of pools do not fail");
    const bool closed = deployment.clients > 0;
    for (Request& request : requests.all) request.arrival = closed ? 0 : request.arrival;
    Recorder recorder{deployment.levels, requests.all.size(), deployment.tokens_a_step};
    recorder.set_classes(deployment.classes);
    if (deployment.keeps_course) recorder.keep_course();
    take_out_unfit(requests, [&](const Request& request) {
        const bool fits = fits_pools(deployment, request);
        if (!fits) recorder.refused(request);
        return fits;
    });
    Pools pools{deployment, prompts, answers, requests, recorder};
    pools.serve(checkpoint);
    Outcome outcome = recorder.outcome(deployment.generators());
    pools.add_use(outcome);
    outcome.sent_for = to_seconds(last_arrival(requests));
    return outcome;
}

}  // namespace dse::serving
