#include "dse/base/hash.hpp"

#include <new>

#include <fmt/format.h>
#include <xxhash.h>

namespace dse {

Digest digest(std::span<const std::byte> bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return {hash.high64, hash.low64};
}

Digest digest(std::string_view text) {
    return digest(std::as_bytes(std::span{text.data(), text.size()}));
}

std::uint64_t checksum(std::span<const std::byte> bytes) {
    return XXH3_64bits(bytes.data(), bytes.size());
}

struct RunningChecksum::State {
    std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> stream{XXH3_createState(), XXH3_freeState};
};

RunningChecksum::RunningChecksum() : state_{std::make_unique<State>()} {
    if (state_->stream == nullptr) throw std::bad_alloc{};
    XXH3_64bits_reset(state_->stream.get());
}

RunningChecksum::~RunningChecksum() = default;

void RunningChecksum::add(std::span<const std::byte> bytes) {
    XXH3_64bits_update(state_->stream.get(), bytes.data(), bytes.size());
}

std::uint64_t RunningChecksum::value() const {
    return XXH3_64bits_digest(state_->stream.get());
}

std::string to_string(const Digest& value) {
    return fmt::format("{:016x}{:016x}", value.high, value.low);
}

}  // namespace dse
