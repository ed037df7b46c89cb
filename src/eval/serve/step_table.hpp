#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/serving/step_time.hpp"
#include "eval/serve/step_player.hpp"

namespace dse::eval {

/// Times of a server's steps, each simulated once.
///
/// The time of a step that only decodes is exact if its number of sequences and their mean context are knots
/// of a grid, and interpolated linearly between knots. The time of a step that also processes prompts is a
/// sum over its kernels: everything except attention takes as long as in a prompt with the same total number
/// of tokens; attention of a chunk is that of the prompt up to the chunk's end minus that up to its start
/// (its tokens x the preceding tokens and half of its own); attention of decoding sequences is that of a
/// decode step, or, of a kernel that has tiles for both, that of a tile of a prompt's. Thus the time of a
/// single prompt is exact at knots.
///
/// With speculative decoding, a step verifies the draft tokens and one further token of each sequence, and
/// drafts new tokens. Its time is given per generated token, on average over the accepted tokens.
///
/// If a pipeline works on several batches at a time, steps are those of one batch that passes all stages
/// while others like it occupy the other stages.
///
/// The table is kept between points with the same model, layout, software and machine.
class StepTable final : public serving::StepTime {
  public:
    /// \param key  equal keys imply equal steps
    void serve(StepPlayer& player, const std::string& key);
    void forget();

    serving::DecodeLine decode(const serving::Decodes& decodes) override;
    serving::Ticks launches(std::span<const serving::Batch> ranks) override;
    serving::Ticks adapters(const serving::Batch& batch) override;
    serving::Ticks mixed(std::span<const serving::Chunk> chunks, const serving::Decodes& decodes) override;
    /// If any rank processes prompts, the experts' part takes as long as if the tokens were spread evenly
    /// over the ranks, everything else as long as on the rank that needs most. If all ranks decode, the step
    /// is that of the slowest rank: captured graphs have the largest batch on all ranks.
    serving::Ticks together(std::span<const serving::Batch> ranks) override;

    /// Mean number of tokens that a sequence generates per step.
    [[nodiscard]] double tokens_a_step() const { return tokens_a_step_; }

    /// Number of steps simulated since construction or the last forget().
    [[nodiscard]] std::int64_t played() const { return played_; }

  private:
    using Step = StepPlayer::Step;
    struct Line {
        serving::DecodeLine time;
        double attention{0};            ///< s, without context
        double attention_per_token{0};  ///< s per token of context
        double drafting{0};             ///< s, time to draft tokens
        bool known{false};
    };

    const Step& decode_step(std::int64_t sequences, std::size_t knot);
    /// Time per generated token.
    Step token_step(std::int64_t sequences, std::size_t knot);
    double cache_reading(std::int64_t sequences, std::size_t knot);
    void set_adapters(StepPlayer& player);
    void set_speculation(const graph::ServingEngine& engine);
    [[nodiscard]] double drafting(const Step& step) const {
        return static_cast<double>(draft_tokens_) * draft_share_ * step.time;
    }
    /// \param decodes  of one batch
    const Line& line(const serving::Decodes& decodes);
    [[nodiscard]] std::int64_t padded(std::int64_t sequences) const;
    double without_attention(std::int64_t tokens);
    double shared(std::int64_t tokens);
    double attention_until(std::int64_t tokens);
    double attention_of(std::span<const serving::Chunk> chunks);
    /// Attention of sequences that decode in a step which also reads prompts.
    double attention_of(const serving::Decodes& decodes);
    /// Tokens of a step that also processes prompts.
    [[nodiscard]] std::int64_t tokens_of(const serving::Batch& batch) const;
    /// Parts of such a step, in s.
    struct Besides {
        double attention{0};
        double others{0};
    };
    Besides besides(const serving::Batch& batch);
    /// A quantity of prompts, interpolated linearly between knots.
    template <class Quantity>
    double interpolated(std::int64_t tokens, Quantity quantity);
    const Step& prompt_step(std::size_t knot);
    [[nodiscard]] std::int64_t prompt_knot(std::size_t knot) const;

    StepPlayer* player_{nullptr};
    std::string key_;
    std::vector<std::vector<Step>> decode_;  ///< by sequences and knot; time 0: not simulated yet
    std::vector<std::vector<Line>> lines_;   ///< by sequences and knot
    std::vector<Step> prompt_;               ///< by knot
    std::vector<double> without_attention_;  ///< by tokens; 0: not computed yet
    /// Times that adapters add, in s.
    struct AdapterTimes {
        double launches{0};
        double replayed{0};  ///< launches by a replayed graph
        double adapter{0};   ///< for each distinct one
        double token{0};
        double load{0};  ///< from the host's memory
    };
    AdapterTimes adapters_;
    std::int64_t played_{0};
    std::int64_t draft_tokens_{0};  ///< per step and sequence
    double draft_share_{0};         ///< time per draft token, relative to a step without speculation
    double tokens_a_step_{1.0};
    double mixed_rows_{0};  ///< of StepPlayer
    /// Batches that decode at the same time, each of which has the sequences that it is asked for.
    std::int64_t batches_{1};
};

/// Mean number of tokens that a sequence generates per step: one, plus the draft tokens before the first
/// rejected one. If the drafts before it are accepted, draft i is accepted with probability
/// acceptance · acceptance_decay^(i - 1). This form fits the 14 measured curves of SemiAnalysisAI/InferenceX
/// 843c625 (golden_al_distribution; heads and draft models of eight models, 1 to 8 draft tokens) within 1 to
/// 5 % with acceptances of 0.76 to 0.97.
double accepted_length(const graph::ServingEngine& engine);

/// Key of everything that determines the steps of a scenario on a machine.
std::string step_key(const study::Scenario& scenario, const Machine& machine);

}  // namespace dse::eval
