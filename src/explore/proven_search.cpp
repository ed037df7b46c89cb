#include "explore/proven_search.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "explore/archive.hpp"

namespace dse::explore {
namespace {

using Verdict = results::Proof::Verdict;

/// Number of points to ask for at once.
constexpr std::size_t largest_ask = 20;

/// Number of boxes to bound before workers get something to do, even if only a promising point: takes some
/// tens of milliseconds.
constexpr std::uint64_t most_bounds = 512;

/// How long prepare() works, in seconds, and after how many boxes it looks at the clock.
constexpr double moment = 0.1;
constexpr int boxes_between_looks = 16;

double steady_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Weight of the gain of both halves of a box, against that of the half that gains less.
constexpr double share_of_both_halves = 0.1;

constexpr double unknown_bound = -std::numeric_limits<double>::infinity();

std::uint64_t grid_of(const space::Space& space) {
    if (const auto& size = space.grid_size().exact) return *size;
    throw InputError(
        "search: {method: proven} counts its boxes: a space of 2^63 points and more is too large");
}

std::uint64_t budget_of(const space::Space& space) {
    const auto budget = static_cast<std::uint64_t>(space.search().budget);
    return budget > 0 ? std::min(budget, grid_of(space)) : grid_of(space);
}

void expect_known(const space::Bounder* bounder, const std::vector<metrics::Objective>& objectives) {
    if (bounder == nullptr) throw InputError("search: {method: proven} needs bounds of boxes, and has none");
    for (const metrics::Objective& objective : objectives) {
        if (bounder->knows(objective)) continue;
        throw InputError(fmt::format("search: {{method: proven}} has no bounds for the objective '{}'",
                                     metrics::to_string(objective)));
    }
}

/// Improvement of the bounds: the sum of their relative increases, each at most 1; bounds that were unknown
/// do not count.
double gain_of(const std::vector<double>& before, const std::vector<double>& after) {
    double gain = 0.0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const double scale = std::abs(before[i]);
        if (std::isfinite(scale) && scale > 0.0) gain += std::min(1.0, (after[i] - before[i]) / scale);
    }
    return gain;
}

}  // namespace

bool ProvenSearch::LessUrgent::operator()(const Node& a, const Node& b) const {
    // The latest one first: consecutive boxes of a layout share the data built for it.
    return a.gap != b.gap ? a.gap < b.gap : a.number < b.number;
}

ProvenSearch::ProvenSearch(const std::shared_ptr<const space::Space>& space,
                           const std::vector<metrics::Objective>& objectives,
                           std::unique_ptr<space::Bounder> bounder, std::span<const space::Record> known,
                           Clock clock)
    : objectives_{objectives},
      bounder_{std::move(bounder)},
      lattice_{space},
      judge_{space, objectives},
      filter_{lattice_.space()},
      tolerance_{space->search().tolerance},
      budget_{budget_of(*space)},
      clock_{clock ? std::move(clock) : Clock{steady_seconds}},
      spending_{space->search()} {
    expect_known(bounder_.get(), objectives_);
    for (std::size_t i = 0; i < lattice_.axes(); ++i) enumerated_.push_back(bounder_->is_enumerated(i));
    know(known);
    add(space::whole(*space), std::vector<double>(objectives_.size(), unknown_bound));
}

void ProvenSearch::know(std::span<const space::Record> known) {
    Archive best;
    for (const space::Record& record : known)
        best.admit(judge_.judge(lattice_.genome_at(record.point.values), record));
    for (const Solution& solution : best.members()) known_best_.push_back(solution.genome);
}

std::vector<Trial> ProvenSearch::ask_for_known() {
    std::vector<Trial> trials;
    while (!known_best_.empty() && rows_.size() < budget_ && trials.size() < largest_ask) {
        ask_for(known_best_.front(), 0.0, trials);
        known_best_.pop_front();
    }
    if (trials.empty()) known_best_.clear();
    known_again_ += trials.size();
    return trials;
}

void ProvenSearch::spend() {
    const double now = clock_();
    spending_.add_own(now - clock_read_);
    clock_read_ = now;
}

/// What is asked for does not depend on the clock, only how much of it is.
bool ProvenSearch::is_spent() {
    if (!spent_at_) {
        spend();
        if (spending_.share() >= 1.0) spent_at_ = rows_.size();
    }
    return spent_at_ && rows_.size() >= *spent_at_;
}

void ProvenSearch::push(Node node) {
    open_.push_back(std::move(node));
    std::push_heap(open_.begin(), open_.end(), LessUrgent{});
}

ProvenSearch::Node ProvenSearch::pop() {
    std::pop_heap(open_.begin(), open_.end(), LessUrgent{});
    Node node = std::move(open_.back());
    open_.pop_back();
    return node;
}

/// Gaps only shrink as answers arrive: once the first one is up to date, all others are at most as large.
void ProvenSearch::refresh() {
    while (!open_.empty()) {
        const double gap = front_.gap(open_.front().lower);
        if (gap >= open_.front().gap) return;
        Node node = pop();
        node.gap = gap;
        if (const auto row = front_.cover(node.lower, tolerance_)) {
            settle(std::move(node.box), Verdict::dominated, *row, node.lower);
        } else {
            push(std::move(node));
        }
    }
}

void ProvenSearch::begin_ask() {
    next_.emplace();
    if (!known_best_.empty()) {
        *next_ = ask_for_known();
        if (!next_->empty()) return;
    }
    if (told_ < known_again_) return;  // the first boxes are held against all of these
    refresh();
    look_after_ = bounded_ + most_bounds;
}

/// Whether the ask that is being prepared needs more steps.
bool ProvenSearch::wants_more() {
    if (told_ < known_again_ || open_.empty() || rows_.size() >= budget_) return false;
    if (next_->size() >= largest_ask || is_spent()) return false;
    if (bounded_ < look_after_) return true;
    probe(*next_);
    return next_->empty();
}

void ProvenSearch::take_step() {
    treat(pop(), *next_);
    refresh();
}

bool ProvenSearch::prepare() {
    if (is_ready_) return true;
    const double end = steady_seconds() + moment;
    clock_read_ = clock_();
    if (!next_) begin_ask();
    for (int step = 1; !is_ready_; ++step) {
        is_ready_ = !wants_more();
        if (is_ready_) break;
        take_step();
        if (step % boxes_between_looks == 0 && steady_seconds() > end) break;
    }
    spend();
    return is_ready_;
}

std::vector<Trial> ProvenSearch::ask() {
    while (!prepare()) {
    }
    std::vector<Trial> trials = std::move(*next_);
    next_.reset();
    is_ready_ = false;
    if (open_.empty() && told_ >= known_again_) mark();
    return trials;
}

void ProvenSearch::treat(Node node, std::vector<Trial>& trials) {
    if (const auto row = front_.cover(node.lower, tolerance_)) {
        settle(std::move(node.box), Verdict::dominated, *row, node.lower);
    } else if (node.box.is_point()) {
        std::vector<std::uint64_t> digits;
        for (const space::Run& run : node.box.axes) digits.push_back(run.first);
        const std::uint64_t own = ask_for(digits, node.gap, trials);
        settle(std::move(node.box), Verdict::evaluated, own, node.lower);
    } else if (const auto awaited = tolerance_ > 0.0 ? probe(node, trials) : std::nullopt) {
        waiting_.emplace_back(*awaited, std::move(node));
    } else {
        split(node);
    }
}

/// \return its row, even if it was asked for before
std::uint64_t ProvenSearch::ask_for(const std::vector<std::uint64_t>& digits, double gap,
                                    std::vector<Trial>& trials) {
    Genome genome = digits;
    Trial trial;
    DSE_REQUIRE(lattice_.settle(genome, trial.point));
    const auto [found, is_new] = rows_.try_emplace(std::move(genome), rows_.size());
    if (is_new) {
        trials.push_back(std::move(trial));
        under_way_.push_back(gap);
    }
    return found->second;
}

/// Tries the most urgent bounded boxes: the answer of one point in each may cover many other boxes.
void ProvenSearch::probe(std::vector<Trial>& trials) {
    constexpr std::size_t most_looks = 64;
    for (std::size_t i = 0; i < open_.size() && i < most_looks && trials.empty(); ++i) {
        static_cast<void>(probe(open_[i], trials));
    }
}

/// Asks for a point of a box that stays open. Within a tolerance, such a point often covers the box or most
/// of it, so the box is split only after the point is known.
/// \return its row, if it has not been told yet
std::optional<std::uint64_t> ProvenSearch::probe(const Node& node, std::vector<Trial>& trials) {
    if (!is_bounded(node.box)) return std::nullopt;
    Genome genome = bounder_->promising(node.box);
    space::Point point;
    if (!lattice_.settle(genome, point)) return std::nullopt;
    const std::uint64_t row = ask_for(genome, 0.0, trials);
    return row < told_ ? std::nullopt : std::optional{row};
}

bool ProvenSearch::is_bounded(const space::Box& box) const {
    for (std::size_t i = 0; i < box.axes.size(); ++i)
        if (enumerated_[i] && box.axes[i].count > 1) return false;
    return true;
}

/// First the axes that must have a single value before bounds are possible, in declared order; then the axis
/// whose splits have improved the bounds most on average.
std::size_t ProvenSearch::axis_to_split(const space::Box& box) const {
    for (std::size_t i = 0; i < box.axes.size(); ++i)
        if (enumerated_[i] && box.axes[i].count > 1) return i;
    std::size_t best = box.axes.size();
    double most = -1.0;
    for (std::size_t i = 0; i < box.axes.size(); ++i) {
        if (box.axes[i].count == 1) continue;
        const auto known = experience_.find({i, box.axes[i].count});
        const double gain = known == experience_.end() || known->second.splits < 4.0
                                ? std::numeric_limits<double>::infinity()
                                : known->second.gain / known->second.splits;
        if (gain > most) {
            most = gain;
            best = i;
        }
    }
    return best;
}

void ProvenSearch::split(const Node& node) {
    const std::size_t axis = axis_to_split(node.box);
    if (enumerated_[axis]) {
        for (space::Box& part : slices(node.box, axis)) add(std::move(part), node.lower);
        return;
    }
    // Mostly the half that gains less counts: the other one alone does not narrow the gap. Faster links raise
    // the cost of one half and the time of the other; more memory than is needed raises the cost of one half.
    double least = std::numeric_limits<double>::infinity();
    double sum = 0.0;
    for (space::Box& part : halves(node.box, axis)) {
        const double gain = gain_of(node.lower, add(std::move(part), node.lower));
        least = std::min(least, gain);
        sum += gain;
    }
    Experience& experience = experience_[{axis, node.box.axes[axis].count}];
    experience.gain += least + sum * share_of_both_halves;
    experience.splits += 1.0;
}

std::vector<double> ProvenSearch::costs_of(const metrics::Metrics& best) const {
    std::vector<double> lower = metrics::costs(best, objectives_);
    for (double& cost : lower)
        if (std::isnan(cost)) cost = unknown_bound;
    return lower;
}

/// \param known  bounds of an enclosing box
/// \return its bounds: infinite if nothing in it has an answer
std::vector<double> ProvenSearch::add(space::Box box, const std::vector<double>& known) {
    std::vector<double> nothing(known.size(), std::numeric_limits<double>::infinity());
    if (filter_.drops(box)) {
        settle(std::move(box), Verdict::outside, 0, nothing);
        return nothing;
    }
    Node node{std::move(box), known, 0.0, made_++};
    if (is_bounded(node.box) && !bound(node)) {
        settle(std::move(node.box), Verdict::infeasible, 0, nothing);
        return nothing;
    }
    node.gap = front_.gap(node.lower);
    std::vector<double> lower = node.lower;
    if (const auto row = front_.cover(node.lower, tolerance_)) {
        settle(std::move(node.box), Verdict::dominated, *row, node.lower);
    } else {
        push(std::move(node));
    }
    return lower;
}

/// \return false if no point of the box has an answer
bool ProvenSearch::bound(Node& node) {
    ++bounded_;
    const space::Bounds bounds = bounder_->bounds(node.box);
    if (bounds.infeasible) return false;
    const std::vector<double> own = costs_of(bounds.best);
    for (std::size_t i = 0; i < own.size(); ++i) node.lower[i] = std::max(node.lower[i], own[i]);
    return true;
}

void ProvenSearch::settle(space::Box box, Verdict verdict, std::uint64_t row,
                          const std::vector<double>& lower) {
    if (verdict == Verdict::dominated && tolerance_ > 0.0)
        settled_gap_ = std::max(settled_gap_, front_.gap(lower));
    settled_points_ += static_cast<double>(box.count());
    parts_.push_back({std::move(box), verdict, row, in_own_units(lower)});
}

std::vector<double> ProvenSearch::in_own_units(std::vector<double> lower) const {
    for (std::size_t i = 0; i < lower.size(); ++i) {
        if (!std::isfinite(lower[i])) lower[i] = metrics::not_a_number;
        if (objectives_[i].direction == metrics::Direction::maximize) lower[i] = -lower[i];
    }
    return lower;
}

std::optional<results::Proof> ProvenSearch::proof() const {
    results::Proof proof;
    proof.tolerance = fmt::format("{}", tolerance_);
    for (const metrics::Objective& objective : objectives_)
        proof.objectives.push_back(metrics::to_string(objective));
    for (const space::Axis& axis : lattice_.space().axes()) proof.axes.push_back(axis.name);
    proof.parts = parts_;
    const auto add_open = [&](const Node& node) {
        proof.parts.push_back({node.box, Verdict::open, 0, in_own_units(node.lower)});
    };
    for (const Node& node : open_) add_open(node);
    for (const auto& [row, node] : waiting_) add_open(node);
    proof.course = course_;
    proof.spent_at = spent_at_;
    return proof;
}

void ProvenSearch::tell(std::span<const space::Record> records) {
    clock_read_ = clock_();
    for (const space::Record& record : records) {
        const Solution solution = judge_.judge({}, record);
        if (solution.is_feasible()) front_.admit(told_, solution.costs);
        spending_.add(record);
        ++told_;
        under_way_.pop_front();
    }
    for (; !waiting_.empty() && waiting_.front().first < told_; waiting_.pop_front())
        push(std::move(waiting_.front().second));
    refresh();
    mark();
    spend();
}

void ProvenSearch::mark() {
    double epsilon = open_.empty() ? settled_gap_ : std::max(settled_gap_, open_.front().gap);
    for (const double gap : under_way_) epsilon = std::max(epsilon, gap);
    for (const auto& [row, node] : waiting_) epsilon = std::max(epsilon, node.gap);
    course_.push_back({told_, bounded_, epsilon});
}

std::optional<dist::ProofProgress> ProvenSearch::progress() const {
    const double epsilon = course_.empty() ? std::numeric_limits<double>::infinity() : course_.back().epsilon;
    return dist::ProofProgress{epsilon, parts_.size(), parts_.size() + open_.size() + waiting_.size(),
                               settled_points_ / lattice_.space().grid_size().approximate};
}

std::string ProvenSearch::state() const {
    return fmt::format("{} points asked, {} told, {} boxes bounded, {} open, {} on the front, epsilon {:.3g}",
                       rows_.size(), told_, bounded_, open_.size(), front_.members().size(),
                       progress()->epsilon);
}

}  // namespace dse::explore
