#pragma once

#include <cstdint>
#include <functional>

namespace dse {

namespace detail {

/// Of a thread: steps since it was last asked whether to go on.
extern constinit thread_local std::uint64_t steps_since_asked;

void ask_whether_to_go_on();

}  // namespace detail

/// Called by loops whose length the input decides, however deep they stand below the work that may be given
/// up. Now and then it asks the innermost CheckpointScope of its thread, which throws to end the work; where
/// there is none, it does nothing. It decides whether there is an answer, never which one.
/// \param steps  done since the last call, some tens of nanoseconds each
inline void checkpoint(std::uint64_t steps) {
    constexpr std::uint64_t interval = std::uint64_t{1} << 16U;  // some milliseconds
    detail::steps_since_asked += steps;
    if (detail::steps_since_asked >= interval) detail::ask_whether_to_go_on();
}

/// While it lives, checkpoints of its thread ask it. Short work, of fewer steps than an interval, is never
/// asked.
class CheckpointScope {
  public:
    /// \param ask  throws what ends the work
    explicit CheckpointScope(std::function<void()> ask);
    ~CheckpointScope();
    CheckpointScope(const CheckpointScope&) = delete;
    CheckpointScope& operator=(const CheckpointScope&) = delete;

  private:
    friend void detail::ask_whether_to_go_on();

    std::function<void()> ask_;
    const CheckpointScope* outer_;
};

}  // namespace dse
