#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "dse/dist/crash_record.hpp"
#include "dse/dist/message.hpp"
#include "dse/dist/point_evaluator.hpp"
#include "dse/results/result_sink.hpp"

namespace dse::dist {

/// When rows go to disk: after this many, or this long after the first of them.
struct FlushPolicy {
    std::uint64_t rows{1024};
    std::chrono::milliseconds interval{1000};
};

/// A lease that is evaluated, and how long that took.
struct EvaluatedLease {
    Range range;
    double busy_seconds{0.0};
};

/// Evaluates leased ranges, index by index, in slices of time, and puts the rows on disk in batches.
class LeaseRunner {
  public:
    using Clock = std::chrono::steady_clock;

    LeaseRunner(PointEvaluator& evaluator, results::ResultSink& sink, FlushPolicy policy);

    /// \param trials  the points of the lease, one an index; empty where the evaluator knows them
    void add(const Range& lease, std::vector<Trial> trials = {});

    /// Nothing is left to evaluate; rows may still have to go to disk.
    [[nodiscard]] bool idle() const { return leases_.empty(); }

    /// Evaluates until the time is over or nothing is left, at least one index; flushes when the policy says
    /// so. \throws InputError when the sink fails
    void run(Clock::duration slice);

    /// Puts everything on disk.
    void flush();

    /// Drops what is not evaluated.
    void drop_leases();

    /// Settles an index without evaluating it.
    /// \param record  of the point; none if it is not in the space
    void settle(std::uint64_t index, std::optional<space::Record> record);

    /// Called with every record before it is written; to watch, not to change.
    void observe(std::function<void(const space::Record&)> observer) { observer_ = std::move(observer); }

    /// Where to name the point under evaluation; null for nowhere.
    void name_points_in(CrashRecord* record) { crash_record_ = record; }

    // What happened since the last call of the same function.
    [[nodiscard]] Tally take_tally();
    [[nodiscard]] std::vector<EvaluatedLease> take_evaluated();
    [[nodiscard]] std::vector<Range> take_committed();

  private:
    struct Lease {
        Range whole;
        std::vector<Trial> trials;
        std::uint64_t next{0};
        double busy_seconds{0.0};
    };

    /// \return false where the evaluator was stopped in the middle of a point
    bool evaluate_next(Lease& lease);
    /// The trial that is next; nullptr where `require` drops the index.
    const Trial* next_trial(const Lease& lease);
    space::Record guarded(const Trial& trial);
    void write(space::Record record);
    void count(const space::Record& record);
    [[nodiscard]] bool flush_is_due() const;

    PointEvaluator* evaluator_;
    results::ResultSink* sink_;
    FlushPolicy policy_;
    std::function<void(const space::Record&)> observer_;
    CrashRecord* crash_record_{nullptr};
    std::deque<Lease> leases_;
    Trial trial_;                                 ///< of an index
    std::vector<space::Record> pending_;          ///< evaluated, not with the sink
    std::vector<results::Coverage> uncommitted_;  ///< evaluated, not on disk
    Clock::time_point last_flush_{Clock::now()};
    Clock::time_point last_settled_{last_flush_};  ///< clocks are read rarely: points may take a microsecond
    std::uint64_t unflushed_{0};
    Tally tally_;
    std::vector<EvaluatedLease> evaluated_;
    std::vector<Range> committed_;
};

}  // namespace dse::dist
