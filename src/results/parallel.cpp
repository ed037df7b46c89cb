#include "results/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace dse::results {
namespace {

/// More threads would be limited by memory bandwidth.
constexpr std::size_t most_threads = 8;

}  // namespace

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr first;
    std::mutex only_one;
    const auto take = [&] {
        try {
            for (std::size_t i = next++; i < count; i = next++) work(i);
        } catch (...) {
            const std::lock_guard lock{only_one};
            if (!first) first = std::current_exception();
            next = count;
        }
    };
    const std::size_t cores = std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < std::min({cores, count, most_threads}); ++i) helpers.emplace_back(take);
    take();
    helpers.clear();  // joins them
    if (first) std::rethrow_exception(first);
}

}  // namespace dse::results
