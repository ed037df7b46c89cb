#include "explore/learning_search.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/explore/registry.hpp"
#include "explore/judge.hpp"
#include "explore/knowledge.hpp"
#include "explore/method.hpp"
#include "explore/standstill.hpp"

namespace dse::explore {
namespace {

/// Points asked for at once: few, so that children of what was just told come soon.
constexpr std::size_t largest_batch = 20;

/// Batches under way while the next one is made: workers then need not wait for each other.
constexpr std::size_t batches_under_way = 1;

std::vector<std::string> methods_of(const space::SearchSpec& search) {
    std::vector<std::string> methods{search.method};
    methods.insert(methods.end(), search.then.begin(), search.then.end());
    return methods;
}

}  // namespace

/// A search under way.
class LearningSearch::Course {
  public:
    Course(const std::shared_ptr<const space::Space>& space,
           const std::vector<metrics::Objective>& objectives)
        : space_{space},
          lattice_{space},
          judge_{space, objectives},
          knowledge_{lattice_, static_cast<std::uint64_t>(space->search().seed)},
          methods_{methods_of(space->search())},
          budget_{budget_in(*space)},
          standstill_{static_cast<std::uint64_t>(space->search().patience)} {}

    [[nodiscard]] std::uint64_t budget() const { return budget_; }

    std::vector<Trial> ask() {
        while (stage_ < methods_.size() && asked_ < budget_) {
            if (!method_) begin_stage();
            if (!standstill_.reached(told())) {
                if (std::vector<Trial> trials = propose(); !trials.empty()) return trials;
                if (!under_way_.empty() && asked_ < stage_end()) return {};  // it may go on when more is told
            }
            method_.reset();
            ++stage_;
        }
        return {};
    }

    void tell(std::span<const space::Record> records) {
        DSE_REQUIRE(records.size() <= under_way_.size());
        std::vector<Solution> solutions;
        for (const space::Record& record : records) {
            solutions.push_back(judge_.judge(std::move(under_way_.front()), record));
            under_way_.pop_front();
            knowledge_.learn(solutions.back());
        }
        standstill_.look_at(knowledge_.best(), told());
        if (method_) method_->learn(solutions);
    }

    [[nodiscard]] std::string state() const {
        return fmt::format("{} points asked, {} told, {} on the front", asked_, told(),
                           knowledge_.best().members().size());
    }

  private:
    static std::uint64_t budget_in(const space::Space& space) {
        const auto budget = static_cast<std::uint64_t>(space.search().budget);
        return std::min(budget, space.grid_size().exact.value_or(budget));
    }

    [[nodiscard]] std::uint64_t told() const { return knowledge_.solutions().size(); }

    void begin_stage() {
        method_ = searches().find(methods_[stage_])(knowledge_, space_->search());
        standstill_.restart(told());
    }

    /// Points after which the next method has its turn.
    [[nodiscard]] std::uint64_t stage_end() const {
        const std::uint64_t share = budget_ / methods_.size();
        return stage_ + 1 == methods_.size() ? budget_ : share * (stage_ + 1);
    }

    std::vector<Trial> propose() {
        const std::uint64_t left = stage_end() - std::min(stage_end(), asked_);
        std::vector<Trial> trials;
        for (Genome& genome : method_->propose(std::min<std::uint64_t>(left, largest_batch))) {
            Trial trial;
            DSE_REQUIRE(lattice_.settle(genome, trial.point));
            trials.push_back(std::move(trial));
            under_way_.push_back(std::move(genome));
        }
        asked_ += trials.size();
        return trials;
    }

    std::shared_ptr<const space::Space> space_;
    Lattice lattice_;
    Judge judge_;
    Knowledge knowledge_;
    std::vector<std::string> methods_;
    std::uint64_t budget_;
    Standstill standstill_;
    std::uint64_t asked_{0};
    std::size_t stage_{0};
    std::unique_ptr<Method> method_;
    std::deque<Genome> under_way_;  ///< asked for and not told
};

LearningSearch::LearningSearch(std::shared_ptr<const space::Space> space,
                               const std::vector<metrics::Objective>& objectives)
    : course_{std::make_unique<Course>(space, objectives)} {}

LearningSearch::~LearningSearch() = default;

std::uint64_t LearningSearch::size() const {
    return course_->budget();
}

std::vector<Trial> LearningSearch::ask() {
    return course_->ask();
}

void LearningSearch::tell(std::span<const space::Record> records) {
    course_->tell(records);
}

std::size_t LearningSearch::lag() const {
    return batches_under_way;
}

std::string LearningSearch::state() const {
    return course_->state();
}

}  // namespace dse::explore
