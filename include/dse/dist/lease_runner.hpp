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

/// When rows are written to disk: after this number of rows, or this long after the first of them.
struct FlushPolicy {
    std::uint64_t rows{1024};
    std::chrono::milliseconds interval{1000};
};

/// A fully evaluated lease, with the time that it took.
struct EvaluatedLease {
    Range range;
    double busy_seconds{0.0};
};

/// Evaluates leased ranges index by index, in time slices, and writes the rows to disk in batches.
class LeaseRunner {
  public:
    using Clock = std::chrono::steady_clock;

    LeaseRunner(PointEvaluator& evaluator, results::ResultSink& sink, FlushPolicy policy);

    /// \param trials  the points of the lease, one per index; empty if the evaluator derives them from the
    /// index
    void add(const Range& lease, std::vector<Trial> trials = {});

    /// Whether nothing is left to evaluate; rows may still have to be written to disk.
    [[nodiscard]] bool idle() const { return leases_.empty(); }

    /// Evaluates at least one index, until the time slice is over or nothing is left; flushes according to
    /// the policy.
    /// \throws InputError if the sink fails
    void run(Clock::duration slice);

    /// Writes everything to disk.
    void flush();

    /// Drops the leases that are not evaluated yet.
    void drop_leases();

    /// Settles an index without evaluating it.
    /// \param record  record of the point; none if the point is not in the space
    void settle(std::uint64_t index, std::optional<space::Record> record);

    /// Sets an observer that is called with every record before it is written.
    void observe(std::function<void(const space::Record&)> observer) { observer_ = std::move(observer); }

    /// Sets where the point under evaluation is recorded; null: nowhere.
    void name_points_in(CrashRecord* record) { crash_record_ = record; }

    // Changes since the last call of the same function.
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

    /// \return false if the evaluator was stopped during a point
    bool evaluate_next(Lease& lease);
    /// The next trial; nullptr if `require` drops the index.
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
    std::vector<space::Record> pending_;          ///< evaluated, not passed to the sink yet
    std::vector<results::Coverage> uncommitted_;  ///< evaluated, not on disk yet
    Clock::time_point last_flush_{Clock::now()};
    Clock::time_point last_settled_{last_flush_};  ///< clocks are read rarely: points may take a microsecond
    std::uint64_t unflushed_{0};
    Tally tally_;
    std::vector<EvaluatedLease> evaluated_;
    std::vector<Range> committed_;
};

}  // namespace dse::dist
