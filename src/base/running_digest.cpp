#include "dse/base/running_digest.hpp"

#include <new>

#include <xxhash.h>

namespace dse {

struct RunningDigest::State {
    std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> stream{XXH3_createState(), XXH3_freeState};
};

RunningDigest::RunningDigest() : state_{std::make_unique<State>()} {
    if (state_->stream == nullptr) throw std::bad_alloc{};
    XXH3_128bits_reset(state_->stream.get());
}

RunningDigest::~RunningDigest() = default;

void RunningDigest::add(std::span<const std::byte> bytes) {
    XXH3_128bits_update(state_->stream.get(), bytes.data(), bytes.size());
}

Digest RunningDigest::value() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_->stream.get());
    return {hash.high64, hash.low64};
}

}  // namespace dse
