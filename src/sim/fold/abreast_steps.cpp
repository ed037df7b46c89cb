#include "dse/sim/fold/abreast_steps.hpp"

#include <algorithm>

namespace dse::sim::fold {
namespace {

/// Assigns places to values, from their first use to their last.
class Places {
  public:
    /// \param kept  number of initial values whose places are never reused
    Places(std::size_t values, std::uint32_t kept) : last_(values, 0), place_(values, none), kept_{kept} {
        for (std::uint32_t value = 0; value < kept; ++value) place_[value] = value;
        count_ = kept;
    }

    void note_use(std::uint32_t value, std::size_t step) { last_[value] = step; }

    std::uint32_t of(std::uint32_t value) {
        if (place_[value] != none) return place_[value];
        if (free_.empty()) free_.push_back(count_++);
        place_[value] = free_.back();
        free_.pop_back();
        return place_[value];
    }

    /// Called after a step that uses the value.
    void release(std::uint32_t value, std::size_t step) {
        if (value >= kept_ && last_[value] == step) free_.push_back(place_[value]);
    }

    [[nodiscard]] std::size_t count() const { return count_; }
    /// Place of a value that has been used.
    [[nodiscard]] std::uint32_t place(std::uint32_t value) const { return place_[value]; }

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    std::vector<std::size_t> last_;
    std::vector<std::uint32_t> place_;
    std::vector<std::uint32_t> free_;
    std::uint32_t kept_;
    std::uint32_t count_{0};
};

bool is_first_pass(const Step& step, std::size_t a_chunk) {
    return step.kind != Step::Kind::transfer && step.variant % a_chunk == 1;
}

/// Numbers the values of a schedule: those of messages, and those that passes save.
class Values {
  public:
    explicit Values(std::span<const Step> steps) {
        for (const Step& step : steps) {
            stages_ = std::max(stages_, step.stage + 1);
            if (step.kind != Step::Kind::transfer) a_stage_ = std::max(a_stage_, step.microbatch + 1);
        }
    }
    [[nodiscard]] std::uint32_t stages() const { return stages_; }
    [[nodiscard]] std::size_t passes() const { return std::size_t{stages_} * a_stage_; }
    [[nodiscard]] std::uint32_t pass_of(std::uint32_t stage, std::uint32_t microbatch) const {
        return stage * a_stage_ + microbatch;
    }
    [[nodiscard]] std::uint32_t pass_of(const Step& step) const {
        return pass_of(step.stage, step.microbatch);
    }

  private:
    std::uint32_t stages_{0};
    std::uint32_t a_stage_{0};
};

/// Steps before which the state is described: the first one, then those after all first passes, up to the
/// rounds, which are skipped in another way, or to the last passes.
std::vector<std::size_t> checkpoint_steps(const ScheduleProgram& program, std::size_t a_chunk) {
    constexpr std::size_t parts = 4;
    const std::span<const Step> steps = program.steps();
    const std::size_t end = program.before_last_passes();
    const bool has_rounds = program.steady().rounds > 0;
    const std::size_t last = has_rounds ? program.steady().marks.front() : end;
    std::size_t first = last;
    while (first > 0 && !is_first_pass(steps[first - 1], a_chunk)) --first;
    std::vector<std::size_t> at{0};
    for (std::size_t part = 0; part < parts; ++part) at.push_back(first + (last - first) * part / parts);
    if (has_rounds) at.push_back(last);
    at.push_back(end);
    // A pair is one step.
    for (std::size_t& step : at) {
        while (step < steps.size() && steps[step].kind == Step::Kind::second) ++step;
    }
    return at;
}

/// Describes the state before some steps, from the last one to the first.
class Checkpoints {
  public:
    Checkpoints(const ScheduleProgram& program, const Values& values, const Places& messages,
                const Places& passes, std::size_t lane_ends, std::size_t a_chunk)
        : program_{program},
          a_chunk_{a_chunk},
          values_{values},
          messages_{messages},
          passes_{passes},
          message_live_(program.slots(), 0),
          reader_(values.passes(), nullptr),
          writer_(values.passes(), 0) {
        end_.uses.assign(values.stages() * program.variants(), 0);
        end_.sends.assign(lane_ends, 0);
        end_.receives.assign(lane_ends, 0);
    }

    std::vector<AbreastCheckpoint> describe() {
        const std::span<const Step> steps = program_.steps();
        count_writers(steps);
        const std::vector<std::size_t> at = checkpoint_steps(program_, a_chunk_);
        std::vector<AbreastCheckpoint> checkpoints(at.size());
        std::size_t next = at.size();
        for (std::size_t i = steps.size() + 1; i-- > 0;) {
            if (i < steps.size()) step_back(steps[i], i < program_.before_last_passes());
            while (next > 0 && at[next - 1] == i) checkpoints[--next] = state(i);
        }
        return checkpoints;
    }

  private:
    /// Counts the uses of each pass: the first one writes what the others read.
    void count_writers(std::span<const Step> steps) {
        for (const Step& step : steps) {
            if (step.kind != Step::Kind::transfer) ++writer_[values_.pass_of(step)];
        }
    }

    void step_back(const Step& step, bool before_last) {
        if (step.kind == Step::Kind::transfer) {
            message_live_[step.in] = 1;
            if (!before_last) return;
            end_.sends[step.microbatch] = 1;
            end_.receives[step.out] = 1;
            return;
        }
        if (step.out > nobody) message_live_[step.out] = 0;
        if (step.in > nobody) message_live_[step.in] = 1;
        const std::uint32_t pass = values_.pass_of(step);
        reader_[pass] = --writer_[pass] == 0 ? nullptr : &step;
        if (!before_last) return;
        end_.uses[step.stage * program_.variants() + step.variant] = 1;
        end_.has_first_passes = end_.has_first_passes || is_first_pass(step, a_chunk_);
    }

    [[nodiscard]] AbreastCheckpoint state(std::size_t step) const {
        AbreastCheckpoint result = end_;
        result.step = step;
        for (std::uint32_t slot = nobody + 1; slot < message_live_.size(); ++slot) {
            if (message_live_[slot] != 0) result.live.push_back({false, 0, 0, messages_.place(slot)});
        }
        for (std::uint32_t pass = 0; pass < reader_.size(); ++pass) {
            const Step* const reader = reader_[pass];
            if (reader != nullptr)
                result.live.push_back({true, reader->variant, reader->stage, passes_.place(pass)});
        }
        return result;
    }

    const ScheduleProgram& program_;
    std::size_t a_chunk_;
    const Values& values_;
    const Places& messages_;
    const Places& passes_;
    AbreastCheckpoint end_;
    std::vector<std::uint8_t> message_live_;  // by slot
    std::vector<const Step*> reader_;         // by pass: the next step that reads its values
    std::vector<std::uint32_t> writer_;       // by pass: number of its steps up to the current one
};

}  // namespace

void AbreastSteps::read(const ScheduleProgram& program, const graph::PipelineSchedule& schedule) {
    const std::size_t lane_ends = std::size_t{graph::lanes_of(schedule)} * schedule.stages;
    const std::span<const Step> steps = program.steps();
    const Values values{steps};
    Places messages{program.slots(), nobody + 1};
    Places passes{values.passes(), 0};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        messages.note_use(steps[i].in, i);
        if (steps[i].kind == Step::Kind::transfer) continue;
        messages.note_use(steps[i].out, i);
        passes.note_use(values.pass_of(steps[i]), i);
    }
    steps_.clear();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step& step = steps[i];
        const bool is_task = step.kind != Step::Kind::transfer;
        steps_.push_back({step.kind, step.is_backward, step.variant, step.stage, messages.of(step.in),
                          is_task ? messages.of(step.out) : step.out,
                          is_task ? passes.of(values.pass_of(step)) : step.microbatch});
        messages.release(step.in, i);
        if (!is_task) continue;
        messages.release(step.out, i);
        passes.release(values.pass_of(step), i);
    }
    const SteadyRounds& steady = program.steady();
    live_a_mark_ = steady.live.size();
    live_.clear();
    for (std::uint32_t mark = 0; steady.rounds > 0 && mark <= steady.rounds; ++mark) {
        for (const LiveValue& value : steady.live) {
            const std::uint32_t number = value.number + mark * value.a_round;
            const bool is_saved = value.kind == LiveValue::Kind::saved;
            live_.push_back(
                {is_saved, value.variant, value.stage,
                 is_saved ? passes.place(values.pass_of(value.stage, number)) : messages.place(number)});
        }
    }
    checkpoints_ =
        Checkpoints{program, values, messages, passes, lane_ends, variants_a_chunk(schedule)}.describe();
    before_last_passes_ = program.before_last_passes();
    messages_ = messages.count();
    passes_ = passes.count();
}

}  // namespace dse::sim::fold
