#include "explore/screen_search.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/metrics/pareto.hpp"
#include "dse/space/grid_cursor.hpp"
#include "explore/judge.hpp"
#include "explore/random.hpp"
#include "explore/screen_margin.hpp"
#include "explore/spending.hpp"

namespace dse::explore {
namespace {

constexpr std::size_t cheap_batch = 500;
/// Small, so that recent answers decide what is asked for next.
constexpr std::size_t dear_batch = 20;
constexpr std::uint64_t most_walked = 20'000'000;

/// Whether `a` is nowhere worse than `b`: a point that is at best equal is not worth evaluating.
bool covers(std::span<const double> a, std::span<const double> b) {
    return std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) { return x <= y; });
}

std::uint64_t walked_grid_of(const space::Space& space) {
    const auto& size = space.grid_size().exact;
    if (!space.is_discrete() || !size || *size > most_walked)
        throw InputError(
            fmt::format("search: 'screen' evaluates every point of the grid at low fidelity; it has {:.3g} "
                        "points (at most {:.0e} are supported)",
                        space.grid_size().approximate, static_cast<double>(most_walked)));
    return *size;
}

}  // namespace

/// A search in progress.
class ScreenSearch::Course {
  public:
    Course(const std::shared_ptr<const space::Space>& space,
           const std::vector<metrics::Objective>& objectives)
        : space_{space},
          judge_{space, objectives},
          grid_{walked_grid_of(*space)},
          cursor_{*space, 0, grid_},
          budget_{budget_in(*space, grid_)},
          margin_{objectives.size()},
          random_{static_cast<std::uint64_t>(space->search().seed)},
          spending_{space->search()} {}

    [[nodiscard]] std::uint64_t size() const { return grid_ + budget_; }

    std::vector<Trial> ask() {
        if (!walked_) {
            if (std::vector<Trial> trials = ask_cheap(); !trials.empty()) return trials;
            walked_ = true;
        }
        if (!under_way_.empty() && !sampled_) return {};  // the sample is drawn from all low-fidelity answers
        if (!sampled_) draw_sample();
        std::vector<Trial> trials = ask_dear();
        return trials;
    }

    void tell(std::span<const space::Record> records) {
        for (const space::Record& record : records) {
            const Under under = under_way_.front();
            under_way_.pop_front();
            if (under.dear) {
                spending_.add(record);
                learn(under.place, record);
            } else {
                keep(record);
            }
        }
    }

    [[nodiscard]] std::string state() const {
        return fmt::format("{} points at low fidelity, {} at high fidelity", cheap_asked_, dear_asked_);
    }

  private:
    struct Candidate {
        space::Point point;
        std::vector<double> costs;
        bool asked{false};
    };
    struct Under {
        bool dear{false};
        std::size_t place{0};  ///< index into candidates_
    };

    /// Of dear answers. Time alone may end it.
    static std::uint64_t budget_in(const space::Space& space, std::uint64_t grid) {
        const auto budget = static_cast<std::uint64_t>(space.search().budget);
        return budget > 0 ? std::min(budget, grid) : grid;
    }

    std::vector<Trial> ask_cheap() {
        std::vector<Trial> trials;
        for (Trial trial; trials.size() < cheap_batch && cursor_.next(trial.point);) {
            trials.push_back(trial);
            under_way_.push_back({});
        }
        cheap_asked_ += trials.size();
        return trials;
    }

    void keep(const space::Record& record) {
        const Solution solution = judge_.judge({}, record);
        if (solution.is_feasible()) candidates_.push_back({record.point, solution.costs, false});
    }

    void draw_sample() {
        sampled_ = true;
        const auto size = static_cast<std::size_t>(space_->search().population);
        std::vector<std::size_t> order(candidates_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        for (std::size_t i = 0; i < std::min(size, order.size()); ++i) {
            std::swap(order[i], order[i + random_.below(order.size() - i)]);
            queue_.push_back(order[i]);
        }
    }

    std::vector<Trial> ask_dear() {
        std::vector<Trial> trials;
        while (trials.size() < dear_batch && dear_asked_ < budget_ && spending_.share() < 1.0) {
            if (queue_.empty() && !queue_next_front()) break;
            const std::size_t place = queue_.front();
            queue_.pop_front();
            Candidate& candidate = candidates_[place];
            if (candidate.asked || is_hopeless(candidate)) continue;
            candidate.asked = true;
            trials.push_back({candidate.point, {1}});
            under_way_.push_back({true, place});
            ++dear_asked_;
        }
        return trials;
    }

    /// Queues the front of the remaining candidates by their low-fidelity answers.
    /// \return whether there are any
    bool queue_next_front() {
        std::vector<std::size_t> left;
        metrics::CostTable table{margin_objectives()};
        for (std::size_t place = 0; place < candidates_.size(); ++place) {
            if (candidates_[place].asked || is_hopeless(candidates_[place])) continue;
            left.push_back(place);
            table.add(candidates_[place].costs);
        }
        for (const std::size_t row : metrics::pareto_front(table)) queue_.push_back(left[row]);
        return !queue_.empty();
    }

    [[nodiscard]] std::size_t margin_objectives() const { return judge_.objectives(); }

    [[nodiscard]] bool is_hopeless(const Candidate& candidate) const {
        const std::vector<double> best = margin_.best(candidate.costs);
        return std::any_of(front_.begin(), front_.end(),
                           [&](const std::vector<double>& costs) { return covers(costs, best); });
    }

    void learn(std::size_t place, const space::Record& record) {
        const Solution solution = judge_.judge({}, record);
        if (!solution.is_feasible()) return;
        margin_.learn(candidates_[place].costs, solution.costs);
        const auto is_met = [&](const std::vector<double>& other) { return covers(other, solution.costs); };
        if (std::any_of(front_.begin(), front_.end(), is_met)) return;
        std::erase_if(front_,
                      [&](const std::vector<double>& other) { return covers(solution.costs, other); });
        front_.push_back(solution.costs);
    }

    std::shared_ptr<const space::Space> space_;
    Judge judge_;
    std::uint64_t grid_;
    space::GridCursor cursor_;
    std::uint64_t budget_;
    ScreenMargin margin_;
    Random random_;
    Spending spending_;  ///< on dear answers
    bool walked_{false};
    bool sampled_{false};
    std::uint64_t cheap_asked_{0};
    std::uint64_t dear_asked_{0};
    std::vector<Candidate> candidates_;  ///< feasible at low fidelity
    std::deque<std::size_t> queue_;
    std::deque<Under> under_way_;
    std::vector<std::vector<double>> front_;  ///< of the high-fidelity answers
};

ScreenSearch::ScreenSearch(const std::shared_ptr<const space::Space>& space,
                           const std::vector<metrics::Objective>& objectives)
    : course_{std::make_unique<Course>(space, objectives)} {}

ScreenSearch::~ScreenSearch() = default;

std::uint64_t ScreenSearch::size() const {
    return course_->size();
}

std::vector<Trial> ScreenSearch::ask() {
    return course_->ask();
}

void ScreenSearch::tell(std::span<const space::Record> records) {
    course_->tell(records);
}

std::string ScreenSearch::state() const {
    return course_->state();
}

}  // namespace dse::explore
