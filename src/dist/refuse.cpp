#include <chrono>

#include <unistd.h>

#include "dist/backoff.hpp"
#include "dse/dist/farm.hpp"
#include "dse/dist/stop_signal.hpp"

namespace dse::dist {
namespace {

void tell(Channel& channel, MessageKind kind, std::string body = {}) {
    Message message;
    message.kind = kind;
    message.body = std::move(body);
    channel.send(0, message);
}

}  // namespace

void refuse(Channel& channel, const std::string& reason, const FarmOptions& options) {
    using Clock = std::chrono::steady_clock;
    const pid_t parent = getppid();
    Backoff backoff;
    tell(channel, MessageKind::ready);
    for (auto heard = Clock::now(); Clock::now() - heard < options.orphaned && getppid() == parent;) {
        if (stop_requested()) break;
        const auto message = channel.try_receive();
        if (!message) {
            backoff.wait();
            continue;
        }
        heard = Clock::now();
        if (message->kind == MessageKind::lease) return tell(channel, MessageKind::broken, reason);
        if (message->kind != MessageKind::heartbeat) break;
        tell(channel, MessageKind::progress);
    }
    tell(channel, MessageKind::closed);
}

}  // namespace dse::dist
