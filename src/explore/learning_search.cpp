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
#include "explore/spending.hpp"
#include "explore/standstill.hpp"

namespace dse::explore {
namespace {

/// Number of points to ask for at once: small, so that new solutions soon have children.
constexpr std::size_t largest_batch = 20;

/// Number of batches in flight while the next one is generated, so that workers need not wait for each other.
constexpr std::size_t batches_under_way = 1;

std::vector<std::string> methods_of(const space::SearchSpec& search) {
    std::vector<std::string> methods{search.method};
    methods.insert(methods.end(), search.then.begin(), search.then.end());
    return methods;
}

}  // namespace

/// A search in progress.
class LearningSearch::Course {
  public:
    Course(const std::shared_ptr<const space::Space>& space,
           const std::vector<metrics::Objective>& objectives, std::span<const space::Record> known)
        : space_{space},
          lattice_{space},
          judge_{space, objectives},
          knowledge_{lattice_, static_cast<std::uint64_t>(space->search().seed)},
          methods_{methods_of(space->search())},
          budget_{budget_in(*space)},
          standstill_{static_cast<std::uint64_t>(space->search().patience)},
          spending_{space->search()} {
        for (const space::Record& record : known) know(record);
        for (const Solution& best : knowledge_.best().members()) known_best_.push_back(best.genome);
    }

    [[nodiscard]] std::uint64_t budget() const { return budget_; }

    std::vector<Trial> ask() {
        if (!known_best_.empty()) return ask_for_known();
        if (told_ < known_again_) return {};  // methods need all of these answers to start
        while (stage_ < methods_.size() && asked_ < budget_) {
            if (!method_) begin_stage();
            if (!standstill_.reached(told_) && !is_spent()) {
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
            spending_.add(record);
            if (told_++ >= known_again_) knowledge_.learn(solutions.back());
        }
        standstill_.look_at(knowledge_.best(), told_);
        if (method_) method_->learn(solutions);
    }

    [[nodiscard]] std::string state() const {
        return fmt::format("{} points asked, {} told, {} on the front", asked_, told_,
                           knowledge_.best().members().size());
    }

  private:
    static std::uint64_t budget_in(const space::Space& space) {
        // The time budget alone may end it.
        constexpr std::int64_t most = std::int64_t{1} << 62U;
        const std::int64_t points = space.search().budget;
        const auto budget = static_cast<std::uint64_t>(points > 0 ? points : most);
        return std::min(budget, space.grid_size().exact.value_or(budget));
    }

    void know(const space::Record& record) {
        Genome genome = lattice_.genome_at(record.point.values);
        if (knowledge_.claim(genome)) knowledge_.learn(judge_.judge(std::move(genome), record));
    }

    std::vector<Trial> ask_for_known() {
        std::vector<Genome> genomes;
        while (!known_best_.empty() && genomes.size() < largest_batch && asked_ + genomes.size() < budget_) {
            genomes.push_back(std::move(known_best_.front()));
            known_best_.pop_front();
        }
        if (genomes.empty()) known_best_.clear();
        known_again_ += genomes.size();
        return trials_of(std::move(genomes));
    }

    /// Whether its share of the time is used up; each method has an equal share.
    [[nodiscard]] bool is_spent() const {
        return spending_.share() * static_cast<double>(methods_.size()) >= static_cast<double>(stage_ + 1);
    }

    void begin_stage() {
        method_ = searches().find(methods_[stage_])(knowledge_, space_->search());
        standstill_.restart(told_);
    }

    /// Number of points after which the next method starts.
    [[nodiscard]] std::uint64_t stage_end() const {
        const std::uint64_t share = budget_ / methods_.size();
        return stage_ + 1 == methods_.size() ? budget_ : share * (stage_ + 1);
    }

    std::vector<Trial> propose() {
        const std::uint64_t left = stage_end() - std::min(stage_end(), asked_);
        return trials_of(method_->propose(std::min<std::uint64_t>(left, largest_batch)));
    }

    std::vector<Trial> trials_of(std::vector<Genome> genomes) {
        std::vector<Trial> trials;
        for (Genome& genome : genomes) {
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
    Spending spending_;
    std::deque<Genome> known_best_;  ///< from older answers, not yet asked for again
    std::uint64_t known_again_{0};   ///< number of points asked for again, before all others
    std::uint64_t asked_{0};
    std::uint64_t told_{0};
    std::size_t stage_{0};
    std::unique_ptr<Method> method_;
    std::deque<Genome> under_way_;  ///< asked for and not told
};

LearningSearch::LearningSearch(std::shared_ptr<const space::Space> space,
                               const std::vector<metrics::Objective>& objectives,
                               std::span<const space::Record> known)
    : course_{std::make_unique<Course>(space, objectives, known)} {}

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
