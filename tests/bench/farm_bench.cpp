#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <queue>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "dist/wire.hpp"
#include "dse/dist/farm.hpp"
#include "dse/explore/search.hpp"
#include "dse/results/memory_sink.hpp"
#include "explore/search_source.hpp"

/// Rank 0 with thousands of workers: the real coordinator and the real messages, over a channel whose other
/// end is a model of the workers in virtual time. What rank 0 computes is taken at its measured CPU time;
/// what MPI would take of it is added for each message. `efficiency` is the time of all evaluations over that
/// of all workers.
namespace {

using namespace dse;
using namespace dse::dist;

/// Of rank 0 in MPI, for a message: measured between two processes of one node over shared memory with Open
/// MPI 4.1 (receiving 0.9 to 1.0 us, sending one after the other 2.5 us; a lone send, caches cold, 9 to 11
/// us).
constexpr double receive_seconds = 1e-6;
constexpr double send_seconds = 2.5e-6;
constexpr double byte_seconds = 0.2e-9;
/// Of FarmOptions, and what rank 0 itself takes for one to one worker.
constexpr double heartbeat_seconds = 0.5;
constexpr double composing_seconds = 0.3e-6;
/// From rank to rank.
constexpr double latency = 20e-6;
/// A point's values, and the objectives of a campaign.
constexpr std::size_t point_width = 20;
constexpr std::size_t objectives = 2;

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Model {
    int workers{0};
    double point_seconds{0.0};  ///< times 0.8 … 1.2
    bool returns_records{false};
};

/// Rank 0's end of a farm that is not there.
class ModelChannel final : public Channel {
  public:
    explicit ModelChannel(const Model& model)
        : model_{model}, workers_(static_cast<std::size_t>(model.workers) + 1) {
        for (int rank = 1; rank <= model.workers; ++rank) post(latency, rank, MessageKind::ready);
        left_ = cpu_seconds();
    }

    [[nodiscard]] int rank() const override { return 0; }
    [[nodiscard]] int size() const override { return model_.workers + 1; }

    void send(int to, const Message& message) override {
        enter(message.body.size());
        if (message.kind == MessageKind::lease) {
            play(to, message);
        } else if (message.kind == MessageKind::finish) {
            post(now_ + 2 * latency, to, MessageKind::closed);
        }
        leave();
    }

    std::optional<Message> try_receive() override {
        enter_empty();
        // A second look without a message in between: rank 0 has nothing to do until the next one comes.
        if (looked_in_vain_ && !events_.empty()) now_ = std::max(now_, events_.top().time);
        std::optional<Message> message;
        if (!events_.empty() && events_.top().time <= now_) {
            message = std::move(const_cast<Event&>(events_.top()).message);
            events_.pop();
            charge(receive_seconds, message->body.size());
        }
        looked_in_vain_ = !message;
        leave();
        return message;
    }

    [[nodiscard]] double end() const { return end_; }
    [[nodiscard]] double busy() const { return busy_; }
    [[nodiscard]] double coordinator() const { return coordinator_; }
    [[nodiscard]] double messages() const { return messages_; }

  private:
    struct Event {
        double time;
        std::uint64_t order;
        Message message;
        bool operator<(const Event& other) const {
            return time != other.time ? time > other.time : order > other.order;
        }
    };
    struct Worker {
        double free_at{0.0};
        double seen{0.0};  ///< points evaluated
    };

    /// Rank 0 has computed since leave(): virtual time goes on by that.
    void enter_empty() {
        const double spent = cpu_seconds() - left_;
        now_ += spent;
        coordinator_ += spent;
    }
    void enter(std::size_t bytes) {
        enter_empty();
        charge(send_seconds, bytes);
    }
    void charge(double seconds, std::size_t bytes) {
        const double spent = seconds + byte_seconds * static_cast<double>(bytes);
        now_ += spent;
        coordinator_ += spent;
        ++messages_;
    }
    void leave() {
        // Signs of life go out by the model's clock: the coordinator's own runs with the machine's load.
        for (; now_ >= next_heartbeat_; next_heartbeat_ += heartbeat_seconds) {
            for (int rank = 1; rank <= model_.workers; ++rank) charge(send_seconds + composing_seconds, 0);
        }
        left_ = cpu_seconds();
    }

    void post(double time, int rank, MessageKind kind, const Range& range = {}, double busy = 0.0,
              std::string body = {}) {
        Message message;
        message.kind = kind;
        message.sender = rank;
        message.range = range;
        message.busy_seconds = busy;
        message.tally.indices = kind == MessageKind::evaluated ? range.count : 0;
        message.tally.rows = message.tally.indices;
        message.body = std::move(body);
        events_.push({time, order_++, std::move(message)});
    }

    /// A worker gets a lease: everything that it will say of it.
    void play(int rank, const Message& lease) {
        Worker& worker = workers_[static_cast<std::size_t>(rank)];
        const double jitter = 0.8 + 0.4 * uniform();
        const double took = model_.point_seconds * static_cast<double>(lease.range.count) * jitter;
        const double begin = std::max(now_ + latency, worker.free_at);
        worker.free_at = begin + took;
        busy_ += took;
        end_ = std::max(end_, worker.free_at);
        const double heard = worker.free_at + latency;
        post(heard, rank, MessageKind::evaluated, lease.range, took, records(lease));
        if (!model_.returns_records) tell_front(rank, worker, heard, lease.range.count);
        post(heard, rank, MessageKind::committed,
             lease.range);  // at most so often: a flush takes several leases
    }

    std::string records(const Message& lease) {
        std::string body;
        if (!model_.returns_records) return body;
        for (const Trial& trial : trials_of(lease.body)) {
            space::Record record;
            record.point.id = trial.point.id;
            record.status = space::Status::ok;
            record.metrics.iteration_time = trial.point.values.front();
            append(body, record);
        }
        return body;
    }

    /// As many as enter a front of two objectives among random points, near where that front is by now.
    void tell_front(int rank, Worker& worker, double time, std::uint64_t points) {
        const double before = std::log(1.0 + worker.seen);
        worker.seen += static_cast<double>(points);
        const double after = std::log(1.0 + worker.seen);
        const auto entered =
            std::min(32, static_cast<int>(std::lround((after * after - before * before) / 2)));
        if (entered == 0) return;
        std::string body;
        for (int i = 0; i < entered; ++i) {
            const double first = std::exp(-after * uniform());
            append(body, std::vector<double>{first, -std::log(1.0 - uniform()) / (first * worker.seen)});
        }
        post(time, rank, MessageKind::candidates, {0, objectives}, 0.0, std::move(body));
    }

    double uniform() { return std::uniform_real_distribution<double>{}(random_); }

    Model model_;
    std::vector<Worker> workers_;
    std::priority_queue<Event> events_;
    std::mt19937_64 random_{1};
    std::uint64_t order_{0};
    double now_{0.0};
    double next_heartbeat_{0.0};
    double left_{0.0};
    double end_{0.0};
    double busy_{0.0};
    double coordinator_{0.0};
    double messages_{0.0};
    bool looked_in_vain_{false};
};

class Nothing final : public PointEvaluator {
  public:
    bool point(std::uint64_t, space::Point&) override { return false; }
    void evaluate(const space::Point&, Fidelity, space::Record&) override {}
};

/// Asks for one point after the other, and keeps the best that it was told of.
class Steady final : public explore::Search {
  public:
    Steady(std::uint64_t size, std::size_t lag) : size_{size}, lag_{lag} {}
    [[nodiscard]] std::uint64_t size() const override { return size_; }
    [[nodiscard]] std::size_t lag() const override { return lag_; }
    std::vector<Trial> ask() override {
        if (asked_ == size_) return {};
        return {{{0, std::vector<double>(point_width, best_ + static_cast<double>(++asked_))}, {}}};
    }
    void tell(std::span<const space::Record> records) override {
        for (const space::Record& record : records) best_ = std::min(best_, record.metrics.iteration_time);
    }
    [[nodiscard]] std::string state() const override { return {}; }

  private:
    std::uint64_t size_;
    std::size_t lag_;
    std::uint64_t asked_{0};
    double best_{1e30};
};

FarmOptions options_of_bench() {
    FarmOptions options;
    options.rank_zero = RankZero::never;
    options.silence = std::chrono::hours{1};
    options.heartbeat = std::chrono::hours{1};
    options.objectives = metrics::parse_objectives("iteration_time, energy");
    return options;
}

void report(benchmark::State& state, const ModelChannel& channel, const Model& model) {
    state.counters["efficiency"] = channel.busy() / (channel.end() * model.workers);
    state.counters["virtual_s"] = channel.end();
    state.counters["coordinator_load"] = channel.coordinator() / channel.end();
    state.counters["messages"] = channel.messages();
    state.counters["us_a_message"] = 1e6 * channel.coordinator() / channel.messages();
}

/// Counts and candidates of the front return. Arguments: workers, points for each.
void grid(benchmark::State& state) {
    const Model model{.workers = static_cast<int>(state.range(0)), .point_seconds = 1e-3};
    const auto points = static_cast<std::uint64_t>(state.range(0) * state.range(1));
    for (auto _ : state) {
        ModelChannel channel{model};
        Nothing evaluator;
        results::MemorySink sink;
        coordinate(channel, evaluator, sink, {.size = points}, options_of_bench(), {});
        report(state, channel, model);
    }
}
BENCHMARK(grid)
    ->Args({100, 10'000})
    ->Args({1'000, 10'000})
    ->Args({10'000, 10'000})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

/// All records return, and decide what is asked for next. Arguments: workers, points for each, points in
/// flight for each.
void search(benchmark::State& state) {
    const Model model{
        .workers = static_cast<int>(state.range(0)), .point_seconds = 1e-2, .returns_records = true};
    const auto points = static_cast<std::uint64_t>(state.range(0) * state.range(1));
    for (auto _ : state) {
        ModelChannel channel{model};
        Nothing evaluator;
        results::MemorySink sink;
        Steady steady{points, static_cast<std::size_t>(state.range(0) * state.range(2))};
        explore::SearchSource source{steady, {}};
        coordinate(channel, evaluator, sink, {.size = points, .source = &source}, options_of_bench(), {});
        report(state, channel, model);
    }
}
BENCHMARK(search)
    ->Args({100, 500, 8})
    ->Args({1'000, 500, 4})
    ->Args({1'000, 500, 8})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

}  // namespace
