#include "dse/serving/deployment.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/graph/serving_conflicts.hpp"
#include "serving/failure_clock.hpp"
#include "serving/router.hpp"
#include "serving/running_replicas.hpp"
#include "serving/unfit.hpp"

namespace dse::serving {
namespace {

/// Clients stay with one replica; with fewer clients than replicas some replicas are idle.
void serve_by_turns(const Deployment& deployment, StepTime& step_time, Requests& requests, Recorder& recorder,
                    const std::function<void()>& checkpoint) {
    const std::int64_t busy =
        deployment.clients > 0 ? std::min(deployment.replicas, deployment.clients) : deployment.replicas;
    for (std::int64_t i = 0; i < busy; ++i) {
        const std::int64_t clients = deployment.clients / busy + (i < deployment.clients % busy ? 1 : 0);
        const Share share{requests, static_cast<std::size_t>(i),  static_cast<std::size_t>(busy), clients,
                          nullptr,  static_cast<std::uint32_t>(i)};
        Replica replica{deployment.limits, share, step_time, recorder};
        replica.set_checkpoint(checkpoint);
        replica.serve();
    }
}

/// Replicas that run concurrently, each simulated up to the latest arrival.
class RoutedReplicas {
  public:
    /// \param requests  provides the pieces to the router and the replicas
    RoutedReplicas(const Deployment& deployment, StepTime& step_time, Requests& requests, Recorder& recorder,
                   const std::function<void()>& checkpoint)
        : deployment_{deployment},
          step_time_{step_time},
          requests_{requests},
          recorder_{recorder},
          checkpoint_{checkpoint},
          rule_{deployment.limits.engine.router},
          router_{rule_, requests, static_cast<std::size_t>(deployment.replicas)},
          running_{deployment.limits.engine, static_cast<std::size_t>(deployment.replicas)},
          failures_{deployment.next_failure, to_ticks(deployment.limits.engine.repair_time.value()),
                    static_cast<std::size_t>(deployment.replicas)},
          queues_(static_cast<std::size_t>(deployment.replicas)),
          loads_(queues_.size()),
          idle_since_(queues_.size()) {
        for (std::size_t i = 0; i < queues_.size(); ++i) replicas_.push_back(new_replica(i));
    }

    /// \param place  index of the request
    void send(const Request& request, std::size_t place) {
        while (failures_.next().time <= request.arrival) fail();
        deliver(request, place, request.arrival);
    }

    void finish() {
        while (failures_.next().time != never && anybody_waits(failures_.next().time)) fail();
        for (const auto& replica : replicas_) replica->serve();
    }

    /// \param duration  of the run, s
    [[nodiscard]] double paid_share(double duration) const { return running_.paid_share(to_ticks(duration)); }

  private:
    std::unique_ptr<Replica> new_replica(std::size_t number) {
        const Share share{requests_, 0, 1, 0, &queues_[number], static_cast<std::uint32_t>(number)};
        auto replica = std::make_unique<Replica>(deployment_.limits, share, step_time_, recorder_);
        replica->set_checkpoint(checkpoint_);
        return replica;
    }

    /// \param now  not before any earlier event
    void deliver(Request request, std::size_t place, Ticks now) {
        const std::size_t chosen = choose(now, place);
        // While none runs, requests wait for the first one that will.
        const Ticks taken = std::max(now, failures_.up_from(chosen));
        request.delayed += taken - request.arrival;
        request.arrival = taken;
        queues_[chosen].push(request, place);
        replicas_[chosen]->take_up();
    }

    bool anybody_waits(Ticks time) {
        bool waits = false;
        for (const auto& replica : replicas_) {
            replica->advance(time);
            waits = waits || replica->load(time) > 0;
        }
        return waits;
    }

    /// The next failure. The step under way ends; then everything that the replica has is lost, and its
    /// requests start over elsewhere.
    void fail() {
        const auto [time, replica] = failures_.next();
        replicas_[replica]->advance(time);
        recorder_.ended(replicas_[replica]->idle_since());
        const RequestQueue lost = std::move(queues_[replica]);
        queues_[replica] = {};
        replicas_[replica] = new_replica(replica);
        failures_.pass();
        lost.for_each_unanswered([&, now = time](const Request& request, std::size_t place) {
            recorder_.preempted();
            deliver(request, place, now);
        });
    }

    std::size_t choose(Ticks now, std::size_t place) {
        if (rule_ == graph::Router::round_robin) {
            const std::size_t next = place % replicas_.size();
            replicas_[next]->advance(now);
            return next;
        }
        for (std::size_t i = 0; i < replicas_.size(); ++i) {
            replicas_[i]->advance(now);
            loads_[i] = replicas_[i]->load(now);
            idle_since_[i] = replicas_[i]->idle_since();
        }
        if (running_.change()) leave_out_those_off(now);
        return leave_out_those_failed(now).value_or(router_.choose(place, loads_));
    }

    /// \returns the replica that runs first if none does
    std::optional<std::size_t> leave_out_those_failed(Ticks now) {
        std::size_t first = 0;
        bool any = false;
        for (std::size_t i = 0; i < replicas_.size(); ++i) {
            any = any || failures_.runs(i, now);
            if (failures_.up_from(i) < failures_.up_from(first)) first = i;
            if (!failures_.runs(i, now)) loads_[i] = std::numeric_limits<std::size_t>::max();
        }
        return any ? std::nullopt : std::optional{first};
    }

    /// Nobody chooses the replica with the largest load.
    void leave_out_those_off(Ticks now) {
        running_.adjust(now, loads_, idle_since_);
        for (std::size_t i = 0; i < replicas_.size(); ++i) {
            if (!running_.runs(i, now)) loads_[i] = std::numeric_limits<std::size_t>::max();
        }
    }

    const Deployment& deployment_;
    StepTime& step_time_;
    Requests& requests_;
    Recorder& recorder_;
    const std::function<void()>& checkpoint_;
    graph::Router rule_;
    RequestRouter router_;
    RunningReplicas running_;
    FailureClock failures_;
    std::vector<RequestQueue> queues_;
    std::vector<std::size_t> loads_;
    std::vector<Ticks> idle_since_;
    std::vector<std::unique_ptr<Replica>> replicas_;
};

}  // namespace

bool fits_alone(const ReplicaLimits& limits, const Request& request) {
    // The last token is never cached.
    const std::int64_t tokens = std::int64_t{request.prompt} + request.output - 1;
    if (!limits.engine.chunked_prefill && tokens > limits.engine.token_budget) return false;
    return (tokens + limits.page_tokens - 1) / limits.page_tokens <= limits.pages;
}

Outcome serve(const Deployment& deployment, StepTime& step_time, Requests& requests,
              const std::function<void()>& checkpoint) {
    graph::require_none(graph::conflicts_of(deployment.limits.engine));
    if (deployment.clients > 0 && deployment.limits.engine.router != graph::Router::round_robin)
        throw ModelError("router: clients of a closed loop stay with their replica (round_robin)");
    if (deployment.clients > 0) {
        for (Request& request : requests.all) request.arrival = 0;
    }
    const std::int64_t unfit = take_out_unfit(
        requests, [&](const Request& request) { return fits_alone(deployment.limits, request); });
    Recorder recorder{deployment.levels, requests.all.size(), deployment.tokens_a_step};
    recorder.set_classes(deployment.classes);
    if (deployment.keeps_course) recorder.keep_course();
    for (std::int64_t i = 0; i < unfit; ++i) recorder.refused();
    Outcome outcome;
    if (deployment.limits.engine.router == graph::Router::round_robin) {
        serve_by_turns(deployment, step_time, requests, recorder, checkpoint);
        outcome = recorder.outcome(deployment.replicas);
    } else {
        RoutedReplicas replicas{deployment, step_time, requests, recorder, checkpoint};
        for (std::size_t i = 0; i < requests.all.size(); ++i) replicas.send(requests.all[i], i);
        replicas.finish();
        outcome = recorder.outcome(deployment.replicas);
        outcome.paid_share = replicas.paid_share(outcome.duration);
    }
    if (!requests.all.empty()) outcome.sent_for = to_seconds(requests.all.back().arrival);
    return outcome;
}

Outcome serve_stream(const Deployment& deployment, StepTime& step_time, RequestSource& source,
                     const std::function<void()>& checkpoint) {
    graph::require_none(graph::conflicts_of(deployment.limits.engine));
    DSE_EXPECT(deployment.clients == 0);
    Recorder recorder{deployment.levels, 0, deployment.tokens_a_step};
    recorder.set_classes(deployment.classes);
    if (deployment.keeps_course) recorder.keep_course();
    Requests none;
    RoutedReplicas replicas{deployment, step_time, none, recorder, checkpoint};
    Request request;
    std::size_t place = 0;
    while (source.next(request)) {
        if (fits_alone(deployment.limits, request)) {
            replicas.send(request, place++);
        } else {
            recorder.refused();
        }
    }
    replicas.finish();
    Outcome outcome = recorder.outcome(deployment.replicas);
    outcome.paid_share = replicas.paid_share(outcome.duration);
    outcome.sent_for = to_seconds(request.arrival);
    return outcome;
}

}  // namespace dse::serving
