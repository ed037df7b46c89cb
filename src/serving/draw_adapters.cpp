#include "dse/serving/draw_adapters.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "dse/base/check.hpp"
#include "dse/base/seed.hpp"
#include "serving/random.hpp"

namespace dse::serving {

struct AdapterDraw::State {
    Random random;
    std::vector<double> sums;  ///< of probabilities up to each adapter
};

AdapterDraw::AdapterDraw(const graph::Traffic& traffic, std::uint64_t seed) {
    DSE_EXPECT(traffic.adapters > 0);
    constexpr std::uint64_t stream = 4;
    state_ = std::make_unique<State>(State{Random{seed_of(seed, stream)}, {}});
    double sum = 0.0;
    for (std::int64_t i = 1; i <= traffic.adapters; ++i)
        state_->sums.push_back(sum += std::pow(static_cast<double>(i), -traffic.adapter_skew));
    for (double& part : state_->sums) part /= sum;
}

AdapterDraw::AdapterDraw(AdapterDraw&&) noexcept = default;
AdapterDraw::~AdapterDraw() = default;

std::uint32_t AdapterDraw::next() {
    const auto found = std::ranges::upper_bound(state_->sums, state_->random.uniform());
    const auto number = std::min<std::ptrdiff_t>(found - state_->sums.begin(), std::ssize(state_->sums) - 1);
    return static_cast<std::uint32_t>(number);
}

void draw_adapters(const graph::Traffic& traffic, std::uint64_t seed, Requests& requests) {
    if (traffic.adapters == 0) return;
    AdapterDraw draw{traffic, seed};
    for (Request& request : requests.all) request.adapter = draw.next();
    if (requests.first_piece.empty()) return;
    std::unordered_map<std::uint64_t, std::uint32_t> names;
    for (std::size_t i = 0; i < requests.all.size(); ++i) {
        for (std::uint32_t k = requests.first_piece[i]; k < requests.first_piece[i + 1]; ++k) {
            const std::uint64_t own =
                (std::uint64_t{requests.all[i].adapter} << 32U) | std::uint64_t{requests.pieces[k]};
            requests.pieces[k] =
                names.try_emplace(own, static_cast<std::uint32_t>(names.size())).first->second;
        }
    }
    requests.piece_names = names.size();
}

}  // namespace dse::serving
