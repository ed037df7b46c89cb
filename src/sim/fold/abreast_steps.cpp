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

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    std::vector<std::size_t> last_;
    std::vector<std::uint32_t> place_;
    std::vector<std::uint32_t> free_;
    std::uint32_t kept_;
    std::uint32_t count_{0};
};

}  // namespace

void AbreastSteps::read(const ScheduleProgram& program) {
    const std::span<const Step> steps = program.steps();
    std::uint32_t stages = 0;
    std::uint32_t a_stage = 0;
    for (const Step& step : steps) {
        stages = std::max(stages, step.stage + 1);
        if (step.kind != Step::Kind::transfer) a_stage = std::max(a_stage, step.microbatch + 1);
    }
    const auto pass_of = [a_stage](const Step& step) { return step.stage * a_stage + step.microbatch; };
    Places messages{program.slots(), nobody + 1};
    Places passes{std::size_t{stages} * a_stage, 0};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        messages.note_use(steps[i].in, i);
        if (steps[i].kind == Step::Kind::transfer) continue;
        messages.note_use(steps[i].out, i);
        passes.note_use(pass_of(steps[i]), i);
    }
    steps_.clear();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step& step = steps[i];
        const bool is_task = step.kind != Step::Kind::transfer;
        steps_.push_back({step.kind, step.is_backward, step.variant, step.stage, messages.of(step.in),
                          is_task ? messages.of(step.out) : step.out,
                          is_task ? passes.of(pass_of(step)) : step.microbatch});
        messages.release(step.in, i);
        if (!is_task) continue;
        messages.release(step.out, i);
        passes.release(pass_of(step), i);
    }
    before_last_passes_ = program.before_last_passes();
    messages_ = messages.count();
    passes_ = passes.count();
}

}  // namespace dse::sim::fold
