#include "app/proof_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <set>
#include <span>

#include <fmt/format.h>

#include "app/proof_plays.hpp"
#include "app/row_conditions.hpp"
#include "dse/base/seed.hpp"
#include "dse/eval/evaluator.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/results/results_reader.hpp"
#include "dse/space/grid_index.hpp"
#include "dse/space/tiling.hpp"

namespace dse::app {
namespace {

using results::Proof;
using Verdict = Proof::Verdict;

/// Tolerance for two ways of computing the same number.
constexpr double proof_rounding = 1e-9;
constexpr std::size_t most_faults = 10;
/// Largest number of combinations of values for which a requirement is tested.
constexpr std::uint64_t most_combinations = 100'000;

using Digits = std::vector<std::uint64_t>;

/// The n-th point of a box along the axes in `which`; the others keep their first value.
Digits nth(const space::Box& box, std::span<const std::size_t> which, std::uint64_t n) {
    Digits digits;
    for (const space::Run& run : box.axes) digits.push_back(run.first);
    for (const std::size_t axis : which) {
        digits[axis] += n % box.axes[axis].count;
        n /= box.axes[axis].count;
    }
    return digits;
}

class ProofChecker {
  public:
    ProofChecker(const study::Sweep& sweep, const study::Sweep& event, const Proof& proof,
                 const ProofRows& rows, const ProofAttack& attack)
        : space_{*sweep.space},
          proof_{proof},
          rows_{rows},
          attack_{attack},
          plays_{proof_plays(sweep, proof, attack.events)},
          evaluator_{sweep},
          event_evaluator_{event},
          electricity_{sweep.base.system.cluster.facility.electricity_price.value()},
          seed_{attack.seed},
          tolerance_{std::strtod(proof.tolerance.c_str(), nullptr)} {
        for (const std::string& objective : proof.objectives)
            objectives_.push_back(metrics::parse_objective(objective));
    }

    ProofFindings run(const std::function<void(const ProofCheckProgress&)>& watch) {
        check_whole();
        const std::vector<std::size_t> parts = parts_to_check();
        for (const std::size_t i : parts) {
            plays_event_ = plays_.contains(i);
            check(proof_.parts[i]);
            watch({findings_.boxes, parts.size(), findings_.evaluated});
        }
        return std::move(findings_);
    }

  private:
    /// Minima over the corners of a box.
    struct Corners {
        double time{std::numeric_limits<double>::infinity()};
        double rent{std::numeric_limits<double>::infinity()};
        metrics::Metrics least;
        bool all{true};
        bool any{false};
    };

    void fault(const Proof::Part& part, const std::string& what) {
        ++wrong_here_;
        if (findings_.faults.size() >= most_faults) return;
        std::string where;
        for (std::size_t i = 0; i < part.box.axes.size(); ++i) {
            const space::Run run = part.box.axes[i];
            const space::Axis& axis = space_.axes()[i];
            if (run.count == axis.values.count()) continue;
            where += fmt::format("{}{}={}", where.empty() ? "" : ", ", axis.name,
                                 axis.format(axis.values[run.first]));
            if (run.count > 1) where += " … " + axis.format(axis.values[run.first + run.count - 1]);
        }
        findings_.faults.push_back(fmt::format("{}: {}", where.empty() ? "the whole grid" : where, what));
    }

    void check_whole() {
        std::vector<space::Box> boxes;
        for (const Proof::Part& part : proof_.parts) boxes.push_back(part.box);
        const std::string fault = space::tiling_fault(space::whole(space_), boxes);
        if (fault.empty()) return;
        ++findings_.wrong;
        findings_.faults.push_back(fault);
        is_tiled_ = false;
    }

    /// All parts, or a random sample of them in order.
    [[nodiscard]] std::vector<std::size_t> parts_to_check() const {
        std::vector<std::size_t> parts(proof_.parts.size());
        std::iota(parts.begin(), parts.end(), std::size_t{0});
        if (attack_.boxes == 0 || attack_.boxes >= parts.size()) return parts;
        std::ranges::sort(parts, {}, [&](std::size_t part) { return seed_of(attack_.seed, part); });
        parts.resize(attack_.boxes);
        std::ranges::sort(parts);
        return parts;
    }

    void check(const Proof::Part& part) {
        if (!is_tiled_) return;
        ++findings_.boxes;
        findings_.points[part.verdict] += part.box.count();
        wrong_here_ = 0;
        switch (part.verdict) {
            case Verdict::outside:
                if (!is_outside(part.box)) fault(part, "it is marked as outside of the space, but is not");
                break;
            case Verdict::infeasible:
                check_infeasible(part);
                break;
            case Verdict::evaluated:
                check_evaluated(part);
                break;
            case Verdict::dominated:
                check_witness(part);
                check_bounds(part);
                break;
            case Verdict::open:
                check_bounds(part);
                break;
        }
        if (wrong_here_ > 0) ++findings_.wrong;
    }

    /// Whether some step of the space drops every combination of the values that it depends on.
    bool is_outside(const space::Box& box) {
        const auto drops = [&](const space::Step& step) {
            std::uint64_t combinations = 1;
            for (const std::size_t axis : step.axes) combinations *= box.axes[axis].count;
            if (combinations > most_combinations) return false;
            for (std::uint64_t n = 0; n < combinations; ++n)
                if (!drops_combination(step, nth(box, step.axes, n))) return false;
            return true;
        };
        return std::any_of(space_.steps().begin(), space_.steps().end(), drops);
    }

    bool drops_combination(const space::Step& step, const Digits& digits) {
        std::vector<double> values(space_.width());
        for (std::size_t i = 0; i < digits.size(); ++i) values[i] = space_.axes()[i].values[digits[i]];
        for (const space::Step& one : space_.steps()) {
            const bool settled =
                std::includes(step.axes.begin(), step.axes.end(), one.axes.begin(), one.axes.end());
            if (settled && !space_.perform(one, values)) return true;
        }
        return false;
    }

    /// \return whether the point is in the space
    bool evaluate(const Digits& digits, space::Record& record, bool by_event = false) {
        space::Point point;
        point.values.resize(space_.width());
        for (std::size_t i = 0; i < digits.size(); ++i) point.values[i] = space_.axes()[i].values[digits[i]];
        bool inside = true;
        for (const space::Step& step : space_.steps()) inside = space_.perform(step, point.values) && inside;
        point.id = space::grid_index(space_, point.values).value_or(0);
        (by_event ? event_evaluator_ : evaluator_).evaluate(point, record);
        ++(by_event ? findings_.played : findings_.evaluated);
        return inside;
    }

    std::uint64_t below(std::uint64_t count) { return seed_of(attack_.seed, seed_++) % count; }

    [[nodiscard]] static std::vector<std::size_t> open_axes(const space::Box& box) {
        std::vector<std::size_t> axes;
        for (std::size_t i = 0; i < box.axes.size(); ++i)
            if (box.axes[i].count > 1) axes.push_back(i);
        return axes;
    }

    /// The n-th corner: bit i of n selects the first or last value of the i-th open axis. For boxes with too
    /// many corners, n is random.
    Digits corner(const space::Box& box, std::span<const std::size_t> axes, std::uint64_t n) const {
        Digits digits;
        for (const space::Run& run : box.axes) digits.push_back(run.first);
        for (std::size_t i = 0; i < axes.size(); ++i)
            if ((n >> i & 1U) != 0) digits[axes[i]] += box.axes[axes[i]].count - 1;
        return digits;
    }

    /// Evaluates corners, then points anywhere in the box.
    /// \param visit  called with each: whether it is in the space, whether it is a corner, the point, its
    ///               record
    /// \return whether all corners were visited
    template <class Visit>
    bool attack(const space::Box& box, const Visit& visit) {
        const std::vector<std::size_t> axes = open_axes(box);
        const bool all = axes.size() < 20 && (std::uint64_t{1} << axes.size()) <= attack_.corners;
        const std::uint64_t corners = all ? std::uint64_t{1} << axes.size() : attack_.corners;
        space::Record record;
        for (std::uint64_t n = 0; n < corners; ++n) {
            const Digits digits = corner(box, axes, all ? n : seed_of(attack_.seed, seed_++));
            visit(evaluate(digits, record), true, digits, record);
        }
        for (std::uint64_t n = 0; n < attack_.points && !axes.empty(); ++n) {
            Digits digits;
            for (const space::Run& run : box.axes) digits.push_back(run.first + below(run.count));
            visit(evaluate(digits, record), false, digits, record);
        }
        return all;
    }

    void check_infeasible(const Proof::Part& part) {
        attack(part.box, [&](bool inside, bool, const Digits&, const space::Record& record) {
            if (inside && record.status == space::Status::ok)
                fault(part, "it is marked as having no result, but one of its points has one");
        });
    }

    void check_evaluated(const Proof::Part& part) {
        const auto row = rows_.find(part.row);
        if (!part.box.is_point() || row == rows_.end()) return fault(part, "it has no row");
        space::Record record;
        const bool inside = evaluate(nth(part.box, {}, 0), record);
        if (!inside || record.point.values != row->second.values)
            return fault(part, fmt::format("row {} is another point", part.row));
        if (!same(costs_of(record), row->second.costs))
            fault(part, fmt::format("row {} has other metrics", part.row));
    }

    static bool same(const std::vector<double>& a, const std::vector<double>& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
    }

    [[nodiscard]] std::vector<double> costs_of(const space::Record& record) const {
        return metrics::costs(record.status == space::Status::ok ? record.metrics : metrics::Metrics{},
                              objectives_);
    }

    [[nodiscard]] std::vector<double> lower_of(const Proof::Part& part) const {
        std::vector<double> lower = part.bounds;
        for (std::size_t i = 0; i < lower.size(); ++i)
            if (objectives_[i].direction == metrics::Direction::maximize) lower[i] = -lower[i];
        return lower;
    }

    /// The row that dominates a box must be within the tolerance of its bounds in every objective and, if the
    /// tolerance is 0, better in at least one.
    void check_witness(const Proof::Part& part) {
        const auto row = rows_.find(part.row);
        if (row == rows_.end() || !row->second.feasible)
            return fault(part, fmt::format("row {}, which should dominate it, has no result", part.row));
        const std::vector<double> lower = lower_of(part);
        bool better = tolerance_ > 0.0;
        for (std::size_t i = 0; i < lower.size(); ++i) {
            const double limit =
                lower[i] > 0.0 ? lower[i] * (1.0 + tolerance_) : lower[i] / (1.0 + tolerance_);
            if (!(row->second.costs[i] <= limit))
                return fault(
                    part, fmt::format("row {} does not dominate it in {}", part.row, objectives_[i].metric));
            better = better || row->second.costs[i] < limit;
        }
        if (!better) fault(part, fmt::format("row {} is not better than it in anything", part.row));
    }

    void check_bounds(const Proof::Part& part) {
        const std::vector<double> lower = lower_of(part);
        Corners corners;
        corners.all = attack(
            part.box, [&](bool inside, bool is_corner, const Digits& digits, const space::Record& record) {
                if (record.status != space::Status::ok) return;
                if (inside) check_point(part, lower, record, "a point");
                if (is_corner) add(corners, record.metrics);
                if (!plays_event_ || !inside) return;
                plays_event_ = false;
                space::Record played;
                evaluate(digits, played, true);
                if (played.status == space::Status::ok)
                    check_point(part, lower, played, "with engine event, a point");
            });
        if (corners.all && corners.any) check_corners(part, lower, corners);
    }

    void check_point(const Proof::Part& part, const std::vector<double>& lower, const space::Record& record,
                     const char* who) {
        const std::vector<double> costs = costs_of(record);
        for (std::size_t i = 0; i < lower.size(); ++i) {
            if (!(costs[i] < lower[i] - std::abs(lower[i]) * proof_rounding)) continue;
            fault(part, fmt::format("its bound of {} is {}, {} of it has {}", objectives_[i].metric,
                                    std::abs(lower[i]), who, std::abs(costs[i])));
        }
    }

    void add(Corners& corners, const metrics::Metrics& metrics) const {
        const auto lower = [](double& least, double value) { least = least <= value ? least : value; };
        corners.any = true;
        lower(corners.time, metrics.iteration_time);
        lower(corners.rent, (metrics.cost - electricity_ * metrics.energy) / metrics.iteration_time);
        lower(corners.least.energy, metrics.energy);
        lower(corners.least.memory_peak, metrics.memory_peak);
    }

    /// The minimum cost is at least the minimum rent for the minimum time, plus the minimum energy.
    void check_corners(const Proof::Part& part, const std::vector<double>& lower, const Corners& corners) {
        metrics::Metrics least = corners.least;
        least.iteration_time = corners.time;
        least.cost = corners.rent * corners.time + electricity_ * least.energy;
        const std::vector<double> derived = metrics::costs(least, objectives_);
        for (std::size_t i = 0; i < lower.size(); ++i) {
            if (lower[i] > derived[i] + std::abs(derived[i]) * proof_rounding)
                fault(part, fmt::format("its bound of {} is {}, but its corners give {}",
                                        objectives_[i].metric, std::abs(lower[i]), std::abs(derived[i])));
        }
    }

    const space::Space& space_;
    const Proof& proof_;
    const ProofRows& rows_;
    const ProofAttack& attack_;
    std::set<std::size_t> plays_;
    eval::Evaluator evaluator_;
    eval::Evaluator event_evaluator_;
    double electricity_;
    std::uint64_t seed_;
    double tolerance_;
    std::vector<metrics::Objective> objectives_;
    ProofFindings findings_;
    std::uint64_t wrong_here_{0};
    bool is_tiled_{true};
    bool plays_event_{false};
};

}  // namespace

ProofRows read_proof_rows(const std::string& file, const results::Proof& proof) {
    std::vector<metrics::Objective> objectives;
    for (const std::string& objective : proof.objectives)
        objectives.push_back(metrics::parse_objective(objective));
    results::ResultsReader reader{file, results::ResultsReader::Extent::finished};
    RowFilter filter;
    ProofRows rows;
    reader.each([&](const results::Table& block) {
        const std::span<const space::Status> statuses = filter.statuses(block);
        for (std::size_t i = 0; i < block.rows(); ++i) {
            ProofRow& row = rows[block.point_id[i]];
            for (const std::vector<double>& column : block.points) row.values.push_back(column[i]);
            row.feasible = statuses[i] == space::Status::ok;
            metrics::Metrics metrics;
            for (std::size_t m = 0; m < block.metrics.size(); ++m)
                metrics.*metrics::metric_field(block.schema.metrics[m].name).member = block.metrics[m][i];
            row.costs = metrics::costs(metrics, objectives);
        }
    });
    return rows;
}

ProofFindings check_proof(const study::Sweep& sweep, const study::Sweep& event, const results::Proof& proof,
                          const ProofRows& rows, const ProofAttack& attack,
                          const std::function<void(const ProofCheckProgress&)>& watch) {
    return ProofChecker{sweep, event, proof, rows, attack}.run(watch);
}

}  // namespace dse::app
