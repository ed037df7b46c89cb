#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace dse {

/// 128 bits that name a content: equal contents, equal digests, on every machine (XXH3).
struct Digest {
    std::uint64_t high{0};
    std::uint64_t low{0};
    friend constexpr auto operator<=>(const Digest&, const Digest&) = default;
};

Digest digest(std::span<const std::byte> bytes);
Digest digest(std::string_view text);

/// 64-bit checksum of a record (XXH3).
std::uint64_t checksum(std::span<const std::byte> bytes);

/// The checksum of bytes that come a piece at a time.
class RunningChecksum {
  public:
    RunningChecksum();
    ~RunningChecksum();
    RunningChecksum(const RunningChecksum&) = delete;
    RunningChecksum& operator=(const RunningChecksum&) = delete;

    void add(std::span<const std::byte> bytes);
    /// checksum() of all pieces, one behind the other.
    [[nodiscard]] std::uint64_t value() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// 32 hexadecimal digits.
std::string to_string(const Digest& value);

}  // namespace dse
