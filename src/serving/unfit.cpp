#include "serving/unfit.hpp"

#include <algorithm>

#include "dse/serving/deployment.hpp"

namespace dse::serving {

std::int64_t take_out_unfit(Requests& requests, const std::function<bool(const Request&)>& fits) {
    const bool has_pieces = !requests.first_piece.empty();
    std::size_t kept = 0;
    std::uint32_t pieces = 0;
    bool begins = false;  // the next of the same conversation, since the one that did is taken out
    for (std::size_t i = 0; i < requests.all.size(); ++i) {
        begins = requests.has_pauses() && (begins || !requests.continues(i));
        if (!fits(requests.all[i])) continue;
        requests.all[kept] = requests.all[i];
        if (requests.has_pauses()) requests.pauses[kept] = begins ? never : requests.pauses[i];
        begins = false;
        if (has_pieces) {
            const std::uint32_t first = requests.first_piece[i];
            const std::uint32_t last = requests.first_piece[i + 1];
            requests.first_piece[kept] = pieces;
            // The write position never overtakes the read position.
            for (std::uint32_t piece = first; piece < last; ++piece)
                requests.pieces[pieces++] = requests.pieces[piece];
        }
        ++kept;
    }
    const auto unfit = static_cast<std::int64_t>(requests.all.size() - kept);
    requests.all.resize(kept);
    if (requests.has_pauses()) requests.pauses.resize(kept);
    if (has_pieces) requests.first_piece[kept] = pieces;
    return unfit;
}

Ticks last_arrival(const Requests& requests) {
    Ticks last = 0;
    for (const Request& request : requests.all) last = std::max(last, request.arrival);
    return last;
}

bool fits_pools(const PoolDeployment& deployment, const Request& request) {
    const Request prompt{0, request.prompt, 1};
    // The decode pool receives finished KV caches, so a prompt need not fit into a step.
    ReplicaLimits decode = deployment.decode;
    decode.engine.chunked_prefill = true;
    return fits_alone(deployment.prefill, prompt) && fits_alone(decode, request);
}

}  // namespace dse::serving
