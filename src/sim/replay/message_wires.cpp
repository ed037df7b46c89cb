#include <utility>

#include "sim/replay/astra_wires.hpp"

namespace dse::sim::replay {
namespace {

class MessageWires final : public AstraWires {
  public:
    explicit MessageWires(const AstraJob& job)
        : fabric_{job.machine.system, job.machine.rules, job.groups.groups()} {}

    netsim::AstraEvents& events() override { return fabric_.events(); }
    void send(const AstraStep& step, Action sent) override {
        fabric_.post().send(step.message, std::move(sent));
    }
    void receive(const AstraStep& step, Action received) override {
        fabric_.post().receive(step.message, std::move(received));
    }
    void collective(std::size_t actor, const AstraStep& step, Action done) override {
        fabric_.begin(static_cast<std::int64_t>(actor), step.plan, step.group, step.priority,
                      std::move(done));
    }

  private:
    netsim::AstraFabric fabric_;
};

}  // namespace

std::unique_ptr<AstraWires> message_wires(const AstraJob& job) {
    return std::make_unique<MessageWires>(job);
}

}  // namespace dse::sim::replay
