#include "dse/sim/fold/played_beginning.hpp"

#include <bit>
#include <cstring>
#include <utility>

namespace dse::sim::fold {

namespace {

/// Shorter schedules take no longer than the comparison.
constexpr std::size_t least_steps = 256;

/// Visits the numbers that later steps overwrite: when streams and lanes are free.
template <class State, class Visit>
void visit_free(State& state, std::size_t stages, std::size_t streams, Visit visit) {
    for (std::size_t stage = 0; stage < stages; ++stage) {
        for (std::size_t s = 0; s < streams; ++s) visit(state.streams(stage)[s]);
    }
    for (std::size_t end = 0; end < state.lane_ends(); ++end) {
        visit(state.send_free(end));
        visit(state.receive_free(end));
    }
}

}  // namespace

bool PlayedBeginning::restore(SchedulePlayer& player, std::uint64_t program) {
    const ScheduleProgram& steps = player.program();
    can_keep_ = player.log() == nullptr && steps.before_last_passes() >= least_steps;
    if (can_keep_) read_key(player, program);
    const bool is_restored = can_keep_ && is_kept_ && is_like_kept();
    if (!is_restored) {
        is_kept_ = false;  // the player is about to overwrite what the state refers to
        return false;
    }
    const double* from = state_.data();
    visit_free(player.state(), player.graph().schedule.stages, player.streams(),
               [&from](double& number) { number = *from++; });
    return true;
}

void PlayedBeginning::keep(const SchedulePlayer& player) {
    if (!can_keep_) return;
    kept_key_.swap(key_);
    state_.clear();
    visit_free(player.state(), player.graph().schedule.stages, player.streams(),
               [this](double number) { state_.push_back(number); });
    is_kept_ = true;
}

/// By bits: quicker than by value.
bool PlayedBeginning::is_like_kept() const {
    return key_.size() == kept_key_.size() &&
           std::memcmp(key_.data(), kept_key_.data(), key_.size() * sizeof(double)) == 0;
}

void PlayedBeginning::add_number(std::uint64_t number) {
    key_.push_back(std::bit_cast<double>(number));
}

void PlayedBeginning::read_key(const SchedulePlayer& player, std::uint64_t program) {
    const graph::Graph& graph = player.graph();
    key_.clear();
    add_number(program);
    add_number(player.streams());
    add_number(player.most_saved());
    add_number(graph.message_stream ? graph.message_stream->index() : player.streams());
    const ScheduleState& state = player.state();
    visit_free(state, graph.schedule.stages, player.streams(),
               [this](double number) { key_.push_back(number); });
    if (graph.schedule.stages > 1) {
        for (std::size_t end = 0; end < state.lane_ends(); ++end) {
            for (const auto* times : {&player.durations().forward, &player.durations().backward}) {
                key_.push_back((*times)[end].duration);
                key_.push_back((*times)[end].hold);
            }
        }
    }
    add_operators(player);
}

/// Of all tasks before the last passes.
void PlayedBeginning::add_operators(const SchedulePlayer& player) {
    const graph::Graph& graph = player.graph();
    const ScheduleProgram& program = player.program();
    const std::size_t a_chunk = variants_a_chunk(graph.schedule);
    is_written_.assign(graph.programs.size() * program.variants(), 0);
    for (std::uint32_t stage = 0; stage < graph.schedule.stages; ++stage) {
        const std::uint32_t of = graph.program_of[stage];
        add_number(of);
        for (std::size_t variant = 0; variant < program.variants(); ++variant) {
            if (!program.uses(stage, variant)) continue;
            const TaskOperator& played = player.operator_of(stage, variant);
            // The pass of its microbatch that follows would find what this one has written over its own
            // input.
            const bool is_forward = variant % a_chunk < 2;
            if (!is_forward && played.saved_out > 0) can_keep_ = false;
            if (is_of_last_pass(variant, a_chunk)) continue;
            if (std::exchange(is_written_[of * program.variants() + variant], std::uint8_t{1}) != 0) continue;
            for (const std::size_t number : {variant, std::size_t{played.inputs}, std::size_t{played.outputs},
                                             std::size_t{played.saved_in}, std::size_t{played.saved_out}})
                add_number(number);
            const double* const columns = player.columns_of(played);
            key_.insert(key_.end(), columns, columns + played.inputs * padded(played.outputs));
        }
    }
}

}  // namespace dse::sim::fold
