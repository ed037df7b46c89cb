#include "dse/serving/draw_adapters.hpp"

#include <unordered_map>

#include "dse/base/seed.hpp"
#include "serving/random.hpp"
#include "serving/zipf_draw.hpp"

namespace dse::serving {

struct AdapterDraw::State {
    Random random;
    ZipfDraw adapters;
};

AdapterDraw::AdapterDraw(const graph::Traffic& traffic, std::uint64_t seed) {
    constexpr std::uint64_t stream = 4;
    state_ = std::make_unique<State>(
        State{Random{seed_of(seed, stream)}, ZipfDraw{traffic.adapters, traffic.adapter_skew}});
}

AdapterDraw::AdapterDraw(AdapterDraw&&) noexcept = default;
AdapterDraw::~AdapterDraw() = default;

std::uint32_t AdapterDraw::next() {
    return state_->adapters.next(state_->random);
}

void draw_adapters(const graph::Traffic& traffic, std::uint64_t seed, Requests& requests) {
    if (traffic.adapters == 0) return;
    AdapterDraw draw{traffic, seed};
    for (Request& request : requests.all) request.adapter = draw.next();
    name_pieces_by_adapter(requests);
}

void name_pieces_by_adapter(Requests& requests) {
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
