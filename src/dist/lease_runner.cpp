#include "dse/dist/lease_runner.hpp"

#include <exception>
#include <utility>

#include "dist/seconds.hpp"
#include "dse/base/check.hpp"
#include "dse/base/error.hpp"

namespace dse::dist {

LeaseRunner::LeaseRunner(PointEvaluator& evaluator, results::ResultSink& sink, FlushPolicy policy)
    : evaluator_{&evaluator}, sink_{&sink}, policy_{policy} {}

void LeaseRunner::add(const Range& lease, std::vector<Trial> trials) {
    DSE_EXPECT(lease.count > 0 && (trials.empty() || trials.size() == lease.count));
    leases_.push_back({.whole = lease, .trials = std::move(trials), .next = lease.first});
}

void LeaseRunner::run(Clock::duration slice) {
    const Clock::time_point end = Clock::now() + slice;
    while (!leases_.empty()) {
        Lease& lease = leases_.front();
        if (!evaluate_next(lease)) break;
        if (lease.next == lease.whole.first + lease.whole.count) {
            evaluated_.push_back({lease.whole, lease.busy_seconds});
            leases_.pop_front();
        }
        if (flush_is_due()) flush();
        if (last_settled_ >= end) break;
    }
}

bool LeaseRunner::evaluate_next(Lease& lease) {
    const Clock::time_point begin = Clock::now();
    if (crash_record_ != nullptr) crash_record_->begin(lease.next);
    std::optional<space::Record> record;
    bool stopped = false;
    try {
        if (const Trial* trial = next_trial(lease)) record = guarded(*trial);
    } catch (const Stopped&) {
        stopped = true;
    }
    if (crash_record_ != nullptr) crash_record_->end();
    if (stopped) return false;
    last_settled_ = Clock::now();
    const double busy = seconds(last_settled_ - begin);
    lease.busy_seconds += busy;
    if (record) record->wall_seconds = busy;
    settle(lease.next++, std::move(record));
    return true;
}

void LeaseRunner::settle(std::uint64_t index, std::optional<space::Record> record) {
    const bool continues =
        !uncommitted_.empty() && uncommitted_.back().first + uncommitted_.back().count == index;
    if (!continues) uncommitted_.push_back({index, 0, 0});
    ++uncommitted_.back().count;
    ++tally_.indices;
    if (!record) return;
    DSE_REQUIRE(record->point.id == index);
    ++uncommitted_.back().rows;
    write(std::move(*record));
}

const Trial* LeaseRunner::next_trial(const Lease& lease) {
    if (!lease.trials.empty()) return &lease.trials[lease.next - lease.whole.first];
    return evaluator_->point(lease.next, trial_.point) ? &trial_ : nullptr;
}

space::Record LeaseRunner::guarded(const Trial& trial) {
    const auto blank = [&](space::Status status, const char* reason) {
        space::Record record;
        record.point = trial.point;
        record.status = status;
        record.reason = reason;
        return record;
    };
    try {
        space::Record record = blank(space::Status::ok, "");
        evaluator_->evaluate(trial.point, trial.fidelity, record);
        return record;
    } catch (const Stopped&) {
        throw;
    } catch (const ModelError& error) {
        return blank(space::Status::outside_validity, error.what());
    } catch (const std::exception& error) {
        return blank(space::Status::failed, error.what());
    }
}

void LeaseRunner::write(space::Record record) {
    count(record);
    if (observer_) observer_(record);
    pending_.push_back(std::move(record));
    ++unflushed_;
}

void LeaseRunner::count(const space::Record& record) {
    using space::Status;
    ++tally_.rows;
    if (record.status == Status::out_of_memory || record.status == Status::outside_validity)
        ++tally_.infeasible;
    if (space::is_failure(record.status)) ++tally_.failures;
}

bool LeaseRunner::flush_is_due() const {
    if (unflushed_ >= policy_.rows) return true;
    return !uncommitted_.empty() && last_settled_ - last_flush_ >= policy_.interval;
}

void LeaseRunner::flush() {
    sink_->write(pending_);
    pending_.clear();
    for (const results::Coverage& coverage : uncommitted_) sink_->cover(coverage);
    sink_->flush();
    for (const results::Coverage& coverage : uncommitted_)
        committed_.push_back({coverage.first, coverage.count});
    uncommitted_.clear();
    unflushed_ = 0;
    last_flush_ = Clock::now();
}

void LeaseRunner::drop_leases() {
    leases_.clear();
}

Tally LeaseRunner::take_tally() {
    return std::exchange(tally_, {});
}

std::vector<EvaluatedLease> LeaseRunner::take_evaluated() {
    return std::exchange(evaluated_, {});
}

std::vector<Range> LeaseRunner::take_committed() {
    return std::exchange(committed_, {});
}

}  // namespace dse::dist
