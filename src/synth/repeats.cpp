#include "repeats.hpp"

#include <numeric>
#include <utility>

#include "dse/base/checkpoint.hpp"
#include "dse/base/seed.hpp"

namespace dse::synth {
namespace {

/// A symbol or a repeated block, which is represented by its first round.
struct Piece {
    std::uint64_t symbol{0};
    std::uint32_t begin{0};   ///< position in the sequence
    std::uint32_t length{0};  ///< including all rounds
};

class Folding {
  public:
    explicit Folding(std::span<const std::uint64_t> symbols) {
        for (std::size_t i = 0; i < symbols.size(); ++i)
            pieces_.push_back({symbols[i], static_cast<std::uint32_t>(i), 1});
        folded_.representative.resize(symbols.size());
        std::iota(folded_.representative.begin(), folded_.representative.end(), 0U);
    }

    Folded run() {
        // Short blocks are folded first, which shortens the longer ones.
        while (fold_all()) {
        }
        count();
        return std::move(folded_);
    }

  private:
    bool fold_all();
    bool fold_period(std::size_t period);
    std::vector<std::uint32_t> equal_runs(std::size_t period) const;
    Piece join(std::size_t begin, std::size_t period, std::size_t rounds);
    void count();

    std::vector<Piece> pieces_;
    Folded folded_;
};

bool Folding::fold_all() {
    constexpr std::size_t longest = 4096;
    bool any = false;
    for (std::size_t period = 1; period <= longest && 2 * period <= pieces_.size(); ++period)
        any = fold_period(period) || any;
    return any;
}

/// By piece: number of consecutive pieces from it on that equal those one period later.
std::vector<std::uint32_t> Folding::equal_runs(std::size_t period) const {
    std::vector<std::uint32_t> runs(pieces_.size(), 0);
    for (std::size_t i = pieces_.size() - period; i-- > 0;) {
        if (pieces_[i].symbol == pieces_[i + period].symbol) runs[i] = runs[i + 1] + 1;
    }
    return runs;
}

/// Positions in later rounds are represented by those in the first round.
Piece Folding::join(std::size_t begin, std::size_t period, std::size_t rounds) {
    Piece joined{mixed(rounds + golden_gamma), pieces_[begin].begin, 0};
    std::uint32_t round_length = 0;
    for (std::size_t i = 0; i < period; ++i) {
        joined.symbol = mixed(joined.symbol ^ (pieces_[begin + i].symbol + golden_gamma));
        round_length += pieces_[begin + i].length;
    }
    for (std::uint32_t i = round_length; i < round_length * rounds; ++i)
        folded_.representative[joined.begin + i] = joined.begin + i % round_length;
    joined.length = round_length * static_cast<std::uint32_t>(rounds);
    return joined;
}

bool Folding::fold_period(std::size_t period) {
    std::vector<Piece> next;
    checkpoint(pieces_.size());
    const std::vector<std::uint32_t> equal = equal_runs(period);
    for (std::size_t i = 0; i < pieces_.size();) {
        const std::size_t rounds = 1 + equal[i] / period;
        if (rounds < 2) {
            next.push_back(pieces_[i++]);
            continue;
        }
        next.push_back(join(i, period, rounds));
        i += rounds * period;
    }
    const bool any = next.size() < pieces_.size();
    pieces_ = std::move(next);
    return any;
}

void Folding::count() {
    auto& representative = folded_.representative;
    folded_.times.assign(representative.size(), 0);
    for (std::size_t i = 0; i < representative.size(); ++i) {
        // A representative comes before the positions that it represents, so it is final already.
        representative[i] = representative[representative[i]];
        if (folded_.times[representative[i]]++ == 0) ++folded_.left;
    }
}

}  // namespace

Folded fold_repeats(std::span<const std::uint64_t> symbols) {
    return Folding{symbols}.run();
}

}  // namespace dse::synth
