#pragma once

#include <cstdint>
#include <functional>

namespace dse {

namespace detail {

/// Steps of this thread since its last check whether to continue.
extern constinit thread_local std::uint64_t steps_since_asked;

void ask_whether_to_go_on();

}  // namespace detail

/// To be called in every loop whose length depends on the input, at any depth below work that can be aborted.
/// Every so often it calls the innermost CheckpointScope of its thread, which throws to end the work; without
/// a scope it does nothing. It decides whether there is a result, never which one.
/// \param steps  number of steps since the last call, some tens of nanoseconds each
inline void checkpoint(std::uint64_t steps) {
    constexpr std::uint64_t interval = std::uint64_t{1} << 16U;  // some milliseconds
    detail::steps_since_asked += steps;
    if (detail::steps_since_asked >= interval) detail::ask_whether_to_go_on();
}

/// During its lifetime, checkpoints of its thread call it. Work shorter than the interval never reaches a
/// check.
class CheckpointScope {
  public:
    /// \param ask  throws to end the work
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
