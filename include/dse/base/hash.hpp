#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace dse {

/// A 128-bit digest (XXH3). Equal contents have equal digests on every machine.
struct Digest {
    std::uint64_t high{0};
    std::uint64_t low{0};
    friend constexpr auto operator<=>(const Digest&, const Digest&) = default;
};

Digest digest(std::span<const std::byte> bytes);
Digest digest(std::string_view text);

/// 64-bit checksum of a record (XXH3).
std::uint64_t checksum(std::span<const std::byte> bytes);

/// The checksum of bytes that arrive in pieces.
class RunningChecksum {
  public:
    RunningChecksum();
    ~RunningChecksum();
    RunningChecksum(const RunningChecksum&) = delete;
    RunningChecksum& operator=(const RunningChecksum&) = delete;

    void add(std::span<const std::byte> bytes);
    /// checksum() of the concatenated pieces.
    [[nodiscard]] std::uint64_t value() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// 32 hexadecimal digits.
std::string to_string(const Digest& value);

}  // namespace dse
