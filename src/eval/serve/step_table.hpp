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
/// Between points with the same model, layout, software and machine it is kept.
class StepTable final : public serving::StepTime {
  public:
    /// \param key  equal keys, equal steps
    void serve(StepPlayer& player, const std::string& key);
    void forget();

    serving::DecodeLine decode(const serving::Decodes& decodes) override;
    serving::Ticks mixed(std::span<const serving::Chunk> chunks, const serving::Decodes& decodes) override;

    /// Steps that were played since it was made or forgot.
    [[nodiscard]] std::int64_t played() const { return played_; }

  private:
    using Step = StepPlayer::Step;
    struct Line {
        serving::DecodeLine time;
        double attention{0};            ///< s, at no context
        double attention_per_token{0};  ///< s
        bool known{false};
    };

    const Step& decode_step(std::int64_t sequences, std::size_t knot);
    const Line& line(const serving::Decodes& decodes);
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
};

/// What decides the steps of a scenario on a machine.
std::string step_key(const study::Scenario& scenario, const Machine& machine);

}  // namespace dse::eval
