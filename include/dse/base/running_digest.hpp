#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "dse/base/hash.hpp"

namespace dse {

/// The digest of bytes that come a piece at a time.
class RunningDigest {
  public:
    RunningDigest();
    ~RunningDigest();
    RunningDigest(const RunningDigest&) = delete;
    RunningDigest& operator=(const RunningDigest&) = delete;

    void add(std::span<const std::byte> bytes);
    /// digest() of all pieces, one behind the other.
    [[nodiscard]] Digest value() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace dse
