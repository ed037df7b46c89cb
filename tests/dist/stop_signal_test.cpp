#include "dse/dist/stop_signal.hpp"

#include <csignal>

#include <gtest/gtest.h>

namespace dse::dist {
namespace {

TEST(StopSignal, IsRememberedUntilItIsCleared) {
    install_stop_signals();
    clear_stop_request();
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGHUP}) {
        EXPECT_FALSE(stop_requested());
        std::raise(signal);
        EXPECT_TRUE(stop_requested()) << signal;
        clear_stop_request();
    }
    std::raise(SIGXFSZ);
    std::raise(SIGPIPE);
    EXPECT_FALSE(stop_requested());
    request_stop();
    EXPECT_TRUE(stop_requested());
    clear_stop_request();
}

TEST(StopSignal, LeavesAHangupAloneThatIsIgnored) {
    std::signal(SIGHUP, SIG_IGN);
    install_stop_signals();
    clear_stop_request();
    std::raise(SIGHUP);
    EXPECT_FALSE(stop_requested()) << "as under nohup";
    std::signal(SIGHUP, SIG_DFL);
}

}  // namespace
}  // namespace dse::dist
