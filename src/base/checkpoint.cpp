#include "dse/base/checkpoint.hpp"

#include <utility>

namespace dse {
namespace {

// A thread's work nests like a stack, and so do the scopes: passing the scope through every function between
// a command and its innermost loops would put it into most interfaces.
constinit thread_local const CheckpointScope* innermost = nullptr;

}  // namespace

namespace detail {

constinit thread_local std::uint64_t steps_since_asked = 0;

void ask_whether_to_go_on() {
    steps_since_asked = 0;
    if (innermost != nullptr) innermost->ask_();
}

}  // namespace detail

CheckpointScope::CheckpointScope(std::function<void()> ask)
    : ask_{std::move(ask)}, outer_{std::exchange(innermost, this)} {
    detail::steps_since_asked = 0;
}

CheckpointScope::~CheckpointScope() {
    innermost = outer_;
}

}  // namespace dse
