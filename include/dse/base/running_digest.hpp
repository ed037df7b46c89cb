#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "dse/base/hash.hpp"

namespace dse {

/// The digest of bytes that arrive in pieces.
class RunningDigest {
  public:
    RunningDigest();
    ~RunningDigest();
    RunningDigest(const RunningDigest&) = delete;
    RunningDigest& operator=(const RunningDigest&) = delete;

    void add(std::span<const std::byte> bytes);
    /// digest() of the concatenated pieces.
    [[nodiscard]] Digest value() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace dse
