#include <chrono>

#include "dist/backoff.hpp"
#include "dse/dist/farm.hpp"

namespace dse::dist {

void dismiss(Channel& channel, const FarmOptions& options) {
    using Clock = std::chrono::steady_clock;
    Message message;
    message.kind = MessageKind::stop;
    for (int rank = 1; rank < channel.size(); ++rank) channel.send(rank, message);
    int open = channel.size() - 1;
    Backoff backoff;
    for (const auto end = Clock::now() + options.drain; open > 0 && Clock::now() < end;) {
        const auto answer = channel.try_receive();
        if (!answer) {
            backoff.wait();
        } else if (answer->kind == MessageKind::closed) {
            --open;
        }
    }
}

}  // namespace dse::dist
