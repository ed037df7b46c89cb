#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/serving/step_time.hpp"
#include "eval/serve/step_player.hpp"

namespace dse::eval {

/// Times of a server's steps, each played once.
///
/// A step that only decodes is exact where its sequences and their mean context are knots of a grid, and
/// linear between them. A step that also reads prompts is the sum of what its kernels do: everything but
/// attention as a prompt of as many tokens in all takes it; attention of a piece as that of the prompt up to
/// its end less that up to its beginning (a piece costs its tokens x those before it and half of itself);
/// attention of the sequences that decode as in a step of their own. So one prompt alone is exact at knots.
///
/// Where tokens are drafted ahead, a step checks the draft tokens and a token beside them for each sequence,
/// and makes its draft tokens: its time is told as that of a token, in the mean of those that are right.
///
/// Between points with the same model, layout, software and machine it is kept.
class StepTable final : public serving::StepTime {
  public:
    /// \param key  equal keys, equal steps
    void serve(StepPlayer& player, const std::string& key);
    void forget();

    serving::DecodeLine decode(const serving::Decodes& decodes) override;
    serving::Ticks mixed(std::span<const serving::Chunk> chunks, const serving::Decodes& decodes) override;

    /// That a sequence generates in a step, in the mean.
    [[nodiscard]] double tokens_a_step() const { return tokens_a_step_; }

    /// Steps that were played since it was made or forgot.
    [[nodiscard]] std::int64_t played() const { return played_; }

  private:
    using Step = StepPlayer::Step;
    struct Line {
        serving::DecodeLine time;
        double attention{0};            ///< s, at no context
        double attention_per_token{0};  ///< s
        double drafting{0};             ///< s that making them takes
        bool known{false};
    };

    const Step& decode_step(std::int64_t sequences, std::size_t knot);
    /// Of a token.
    Step token_step(std::int64_t sequences, std::size_t knot);
    void set_speculation(const graph::ServingEngine& engine);
    [[nodiscard]] double drafting(const Step& step) const {
        return static_cast<double>(draft_tokens_) * draft_share_ * step.time;
    }
    const Line& line(const serving::Decodes& decodes);
    [[nodiscard]] std::int64_t padded(std::int64_t sequences) const;
    double without_attention(std::int64_t tokens);
    double attention_until(std::int64_t tokens);
    const Step& prompt_step(std::size_t knot);
    [[nodiscard]] std::int64_t prompt_knot(std::size_t knot) const;

    StepPlayer* player_{nullptr};
    std::string key_;
    std::vector<std::vector<Step>> decode_;  ///< by sequences and knot; time 0: not played yet
    std::vector<std::vector<Line>> lines_;   ///< the same
    std::vector<Step> prompt_;               ///< by knot
    std::vector<double> without_attention_;  ///< by tokens; 0: not looked at yet
    std::int64_t played_{0};
    std::int64_t draft_tokens_{0};  ///< a step and sequence
    double draft_share_{0};         ///< time of each over that of a step that checks none
    double tokens_a_step_{1.0};
};

/// Tokens that a sequence generates in a step: its own, and the draft tokens up to the first that is wrong.
/// Draft i is right with probability acceptance · acceptance_decay^(i - 1), where those before it are. The
/// form meets the 14 measured curves of SemiAnalysisAI/InferenceX 843c625 (golden_al_distribution; heads and
/// draft models of eight models, 1 to 8 draft tokens) to 1 to 5 % with acceptances of 0.76 to 0.97.
double accepted_length(const graph::ServingEngine& engine);

/// What decides the steps of a scenario on a machine.
std::string step_key(const study::Scenario& scenario, const Machine& machine);

}  // namespace dse::eval
