#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "dist/backoff.hpp"
#include "dist/crew.hpp"
#include "dist/front_sample.hpp"
#include "dist/progress_meter.hpp"
#include "dist/suspects.hpp"
#include "dist/wire.hpp"
#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/dist/farm.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/space/goals.hpp"

namespace dse::dist {
namespace {

using Clock = LeaseRunner::Clock;

/// How long rank 0 evaluates before it checks its messages.
constexpr std::chrono::milliseconds slice_beside_workers{2};
constexpr std::chrono::milliseconds slice_alone{50};
/// Number of messages to read before leases are handed out: with thousands of workers there is always one
/// more.
constexpr int most_messages = 1000;

results::IntervalSet with_suspects(const results::IntervalSet& covered, const Suspects& suspects) {
    std::vector<results::Interval> all = covered.intervals();
    for (const auto& indices : {suspects.once(), suspects.condemned()}) {
        for (const std::uint64_t index : indices) all.push_back({index, index + 1});
    }
    return results::IntervalSet{std::move(all)};
}

class Coordinator {
  public:
    Coordinator(Channel& channel, PointEvaluator& evaluator, results::ResultSink& sink, const FarmWork& work,
                const FarmOptions& options, const FarmHooks& hooks)
        : channel_{&channel},
          options_{&options},
          hooks_{&hooks},
          evaluator_{&evaluator},
          source_{work.source},
          suspects_{options.crash_folder, work.covered.gaps(work.size)},
          queue_{source_ == nullptr ? work.size : 0, with_suspects(work.covered, suspects_)},
          runner_{evaluator, sink, options.flush},
          goals_{options.objectives, options.more_metrics},
          meter_{work.size, work.size - work.covered.gaps(work.size).count()},
          crew_{channel} {
        runner_.observe([this](const space::Record& record) { look_at(record); });
        if (!options.crash_folder.empty()) {
            crash_record_.emplace(options.crash_folder, channel.rank());
            runner_.name_points_in(&*crash_record_);
        }
    }

    FarmSummary run() {
        Backoff backoff;
        deal_with_suspects();
        draw_trials();
        while (!complete()) {
            const bool heard = receive_all();
            if (stop_requested() || getppid() != parent_) stopped_ = true;
            if (stopped_ || !broken_.empty()) break;
            give_signs_of_life();
            draw_trials();
            hand_out_leases();
            if (evaluates()) {
                run_own_slice();
            } else if (heard) {
                backoff.reset();
            } else {
                backoff.wait();
            }
            show_progress();
        }
        return close();
    }

    /// Stops all workers after an exception on rank 0.
    void stop_workers() {
        closing_ = true;
        crew_.expect_all();
        crew_.tell_all(MessageKind::stop);
        wait_for_workers();
    }

  private:
    // --- messages

    bool receive_all() {
        int heard = 0;
        while (heard < most_messages) {
            const auto message = channel_->try_receive();
            if (!message) break;
            ++heard;
            crew_.change(message->sender, [&](Leaseholder& worker) { handle(*message, worker); });
        }
        return heard > 0;
    }

    void handle(const Message& message, Leaseholder& worker) {
        worker.heard();
        meter_.add(message.tally);
        switch (message.kind) {
            case MessageKind::ready:
                break;
            case MessageKind::progress:
                take_records(message);
                break;
            case MessageKind::evaluated:
                take_records(message);
                worker.evaluated(message.range, message.busy_seconds);
                break;
            case MessageKind::committed:
                take_records(message);
                worker.committed(message.range);
                forget_trials(message.range);
                break;
            case MessageKind::candidates:
                admit_candidates(message);
                break;
            case MessageKind::closed:
                on_closed(worker);
                break;
            case MessageKind::broken:
                on_broken(message, worker);
                break;
            default:
                DSE_REQUIRE(!"a message that only workers receive");
        }
    }

    /// Rows in files contain the values of their points; here, the source that asked already has them.
    void take_records(const Message& message) {
        if (source_ == nullptr || message.body.empty()) return;
        for (const space::Record& record : records_of(message.body)) source_->answer(record);
    }

    void admit_candidates(const Message& message) {
        const std::vector<double> costs = numbers_of(message.body);
        const std::size_t width = message.range.count;
        DSE_REQUIRE(width > 0 && costs.size() % width == 0);
        for (std::size_t at = 0; at < costs.size(); at += width) front_.admit({costs.data() + at, width});
    }

    /// A worker that closes before it was told to has received a signal, which is meant for all.
    void on_closed(Leaseholder& worker) {
        worker.close();
        if (!closing_) stopped_ = true;
    }

    void on_broken(const Message& message, Leaseholder& worker) {
        worker.close();
        broken_ = fmt::format("rank {}: {}", message.sender, message.body);
    }

    void give_signs_of_life() {
        if (hooks_->alive) hooks_->alive();
        if (Clock::now() - last_heartbeat_ < options_->heartbeat) return;
        last_heartbeat_ = Clock::now();
        crew_.tell_all(MessageKind::heartbeat);
        look_for_lost_workers();
    }

    // --- leases

    void look_for_lost_workers() {
        for (const int rank : crew_.silent(options_->silence)) {
            const auto leases = crew_.change(rank, [](Leaseholder& worker) { return worker.lose(); });
            for (const Range& range : leases) take_back(range, suspects_.at_work(rank, range));
        }
    }

    /// Separates the point that a lost worker was evaluating from the rest of its leases.
    void take_back(const Range& range, std::optional<std::uint64_t> suspect) {
        if (!suspect) {
            queue_.give_back(range);
            return;
        }
        queue_.give_back({*suspect + 1, range.first + range.count - *suspect - 1});
        queue_.give_back({range.first, *suspect - range.first});
        if (suspects_.strike(*suspect)) {
            condemn(*suspect);
        } else {
            queue_.postpone({*suspect, 1});
        }
    }

    void deal_with_suspects() {
        if (source_ != nullptr) return;  // their points are unknown until the search asks for them
        for (const std::uint64_t index : suspects_.once()) queue_.postpone({index, 1});
        for (const std::uint64_t index : suspects_.condemned()) condemn(index);
    }

    void condemn(std::uint64_t index) {
        std::optional<space::Record> record;
        space::Point point;
        if (point_of(index, point)) {
            record.emplace();
            record->point = std::move(point);
            record->status = space::Status::failed;
            record->reason = "evaluating it ended two processes";
        }
        runner_.settle(index, std::move(record));
        settle_own();
    }

    bool point_of(std::uint64_t index, space::Point& point) {
        if (source_ == nullptr) return evaluator_->point(index, point);
        const auto trial = trials_.find(index);
        if (trial == trials_.end()) return false;
        point = trial->second.point;
        return true;
    }

    // --- points that are generated while the farm runs

    void draw_trials() {
        if (source_ == nullptr) return;
        while (auto trial = source_->next()) {
            const std::uint64_t index = trial->point.id;
            trials_.emplace(index, std::move(*trial));
            if (suspects_.is_condemned(index)) {
                condemn(index);
            } else {
                queue_.append(index);
            }
        }
    }

    /// Rows on disk need no more work, no matter which rank wrote them.
    void forget_trials(const Range& range) {
        trials_.erase(trials_.lower_bound(range.first), trials_.lower_bound(range.first + range.count));
    }

    /// The trials of a range whose rows are not on disk, split into consecutive runs.
    std::vector<std::vector<Trial>> open_trials(const Range& range) const {
        std::vector<std::vector<Trial>> runs;
        const auto end = trials_.lower_bound(range.first + range.count);
        for (auto at = trials_.lower_bound(range.first); at != end; ++at) {
            const bool continues = !runs.empty() && runs.back().back().point.id + 1 == at->first;
            if (!continues) runs.emplace_back();
            runs.back().push_back(at->second);
        }
        return runs;
    }

    // --- handing out

    void hand_out_leases() {
        while (queue_.remaining() > 0) {
            const auto rank = crew_.next_without_lease();
            if (!rank) break;
            const auto range = queue_.next(lease_size(crew_.rate(*rank)));
            if (source_ == nullptr) {
                lease(*rank, *range, {});
            } else {
                for (const auto& trials : open_trials(*range))
                    lease(*rank, {trials.front().point.id, trials.size()}, trials);
            }
        }
        if (!evaluates() || !own_.wants_lease()) return;
        if (const auto range = queue_.next(lease_size(own_.rate()))) lease_own(*range);
    }

    void lease(int rank, const Range& range, const std::vector<Trial>& trials) {
        std::string body;
        for (const Trial& trial : trials) append(body, trial);
        crew_.change(rank, [&](Leaseholder& worker) { worker.lease(range); });
        crew_.send(rank, MessageKind::lease, range, std::move(body));
    }

    void lease_own(const Range& range) {
        if (source_ == nullptr) {
            own_.lease(range);
            runner_.add(range);
            return;
        }
        for (auto& trials : open_trials(range)) {
            const Range part{trials.front().point.id, trials.size()};
            own_.lease(part);
            runner_.add(part, std::move(trials));
        }
    }

    [[nodiscard]] std::uint64_t lease_size(double rate) const {
        const int sharing = std::max(crew_.active() + (evaluates() ? 1 : 0), 1);
        return options_->sizing.size(queue_.remaining(), static_cast<std::uint64_t>(sharing), rate);
    }

    [[nodiscard]] bool evaluates() const {
        if (crew_.active() == 0 && !workers_may_come()) return true;
        if (options_->rank_zero == RankZero::never || !everybody_is_here()) return false;
        return options_->rank_zero == RankZero::always || channel_->size() <= options_->few_ranks;
    }

    /// Rank 0 waits for the others before it evaluates: it is ready first, and would take most of a small
    /// sweep for itself.
    [[nodiscard]] bool everybody_is_here() const {
        return crew_.is_complete() || Clock::now() - begin_ > options_->silence / 60;
    }

    [[nodiscard]] bool workers_may_come() const {
        return channel_->size() > 1 && crew_.known() == 0 && Clock::now() - begin_ < options_->silence;
    }

    void run_own_slice() {
        if (runner_.idle()) {
            flush_own();
            return;
        }
        took_part_ = true;
        runner_.run(crew_.active() > 0 ? slice_beside_workers : slice_alone);
        settle_own();
    }

    void flush_own() {
        if (!own_.holds_leases()) {
            std::this_thread::sleep_for(std::chrono::microseconds{200});
            return;
        }
        runner_.flush();
        settle_own();
    }

    void settle_own() {
        meter_.add(runner_.take_tally());
        for (const EvaluatedLease& lease : runner_.take_evaluated())
            own_.evaluated(lease.range, lease.busy_seconds);
        for (const Range& range : runner_.take_committed()) {
            own_.committed(range);
            forget_trials(range);
        }
    }

    void look_at(const space::Record& record) {
        if (source_ != nullptr) source_->answer(record);
        if (record.status == space::Status::ok && !goals_.empty()) {
            front_.admit(goals_.costs(record));
        }
    }

    [[nodiscard]] bool complete() const {
        return queue_.remaining() == 0 && !own_.holds_leases() && !crew_.holds_leases() &&
               (source_ == nullptr || source_->exhausted());
    }

    // --- the end

    FarmSummary close() {
        closing_ = true;
        const bool good = !stopped_ && broken_.empty();
        crew_.expect_all();
        crew_.tell_all(good ? MessageKind::finish : MessageKind::stop);
        runner_.drop_leases();
        runner_.flush();
        settle_own();
        wait_for_workers();
        if (!broken_.empty()) throw InputError(broken_);
        const Progress last = progress();
        if (hooks_->progress) hooks_->progress(last);
        return {good ? Outcome::complete : Outcome::stopped, last};
    }

    void wait_for_workers() {
        const Clock::time_point end = Clock::now() + (stopped_ ? options_->drain : options_->silence);
        Backoff backoff;
        while (crew_.is_open() && Clock::now() < end) {
            if (!receive_all()) backoff.wait();
            if (hooks_->alive) hooks_->alive();
        }
    }

    // --- progress

    [[nodiscard]] Progress progress() const {
        Progress now = meter_.now();
        now.front_size = front_.size();
        now.lost = crew_.lost();
        now.workers = crew_.known() - now.lost + (took_part_ ? 1 : 0);
        return now;
    }

    void show_progress() {
        if (!hooks_->progress || Clock::now() - last_progress_ < options_->progress) return;
        last_progress_ = Clock::now();
        meter_.sample();
        hooks_->progress(progress());
    }

    Channel* channel_;
    const FarmOptions* options_;
    const FarmHooks* hooks_;
    PointEvaluator* evaluator_;
    TrialSource* source_;                    ///< nullptr if all indices are known from the start
    std::map<std::uint64_t, Trial> trials_;  ///< drawn from the source, rows not on disk
    Suspects suspects_;
    LeaseQueue queue_;
    std::optional<CrashRecord> crash_record_;
    LeaseRunner runner_;
    space::Goals goals_;
    ProgressMeter meter_;
    FrontSample front_;
    Leaseholder own_;
    Crew crew_;
    pid_t parent_{getppid()};
    Clock::time_point begin_{Clock::now()};
    Clock::time_point last_heartbeat_{Clock::now()};
    Clock::time_point last_progress_{Clock::now()};
    std::string broken_;
    bool took_part_{false};  ///< rank 0 has evaluated points itself
    bool stopped_{false};
    bool closing_{false};
};

}  // namespace

FarmSummary coordinate(Channel& channel, PointEvaluator& evaluator, results::ResultSink& sink,
                       const FarmWork& work, const FarmOptions& options, const FarmHooks& hooks) {
    std::optional<Coordinator> coordinator;
    try {
        coordinator.emplace(channel, evaluator, sink, work, options, hooks);
    } catch (...) {
        dismiss(channel, options);
        throw;
    }
    try {
        return coordinator->run();
    } catch (...) {
        coordinator->stop_workers();
        throw;
    }
}

}  // namespace dse::dist
