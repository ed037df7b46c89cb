#include "dse/model/network/astra/player.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "dse/model/network/astra/program.hpp"
#include "model/network/astra/agenda.hpp"

namespace dse::model {
namespace {

/// Messages of equal size between the same two members for the same chunk: the k-th to be received is the
/// k-th sent.
struct Channel {
    std::int64_t chunk;
    std::size_t from;
    std::size_t to;
    std::int64_t bytes;
    std::int64_t arrived{0};
    std::int64_t expected{0};
};

class Player {
  public:
    Player(const AstraSystem& system, AstraNetwork network, const AstraPlan& plan,
           std::span<const std::int64_t> members)
        : system_{system}, plan_{plan}, members_{members}, agenda_{members.size()}, devices_(members.size()) {
        if (network == AstraNetwork::aware) links_.emplace(system);
        for (Device& device : devices_) {
            device.passes.resize(static_cast<std::size_t>(plan.chunks));
        }
    }

    std::vector<Ticks> play() {
        for (std::size_t d = 0; d < devices_.size(); ++d) {
            for (std::int64_t chunk = 0; chunk < plan_.chunks; ++chunk) go_on(d, chunk);
        }
        agenda_.run();
        std::vector<Ticks> ends;
        for (const Device& device : devices_) {
            DSE_REQUIRE(device.left == plan_.chunks);
            ends.push_back(device.end);
        }
        return ends;
    }

  private:
    /// A chunk at a device.
    struct Pass {
        std::ptrdiff_t phase{-1};
        /// Of every phase begun. They are kept to the end: one that calls finish() is still at work.
        std::vector<std::unique_ptr<AstraProgram>> programs;
    };
    /// Chunks in a dimension, those at work first.
    struct Queue {
        std::vector<std::int64_t> chunks;
        std::size_t working{0};
    };
    struct Device {
        std::vector<Pass> passes;
        std::array<Queue, AstraSystem::most_dimensions> queues;
        std::int64_t left{0};  ///< chunks that have passed all phases
        Ticks end{0};
    };

    /// What a program sees of the player.
    class Host final : public AstraProgram::Host {
      public:
        Host(Player& player, std::size_t device, std::int64_t chunk)
            : player_{player}, device_{device}, chunk_{chunk} {}
        void prepare() override { player_.prepare(device_, chunk_, std::nullopt); }
        void prepare_reduced(std::int64_t bytes) override { player_.prepare(device_, chunk_, bytes); }
        void send(std::int64_t to, std::int64_t bytes) override {
            player_.send(chunk_, device_, player_.peer(device_, chunk_, to), bytes);
        }
        void receive(std::int64_t from, std::int64_t bytes) override {
            player_.receive(chunk_, player_.peer(device_, chunk_, from), device_, bytes);
        }
        void finish() override { player_.go_on(device_, chunk_); }

      private:
        Player& player_;
        std::size_t device_;
        std::int64_t chunk_;
    };

    Pass& pass(std::size_t device, std::int64_t chunk) {
        return devices_[device].passes[static_cast<std::size_t>(chunk)];
    }
    const AstraPhase& phase(std::size_t device, std::int64_t chunk) {
        return plan_.all_phases[static_cast<std::size_t>(pass(device, chunk).phase)];
    }
    [[nodiscard]] static std::int64_t index_of(const AstraPhase& phase, std::size_t device) {
        return static_cast<std::int64_t>(device) / phase.stride % phase.nodes;
    }
    std::size_t peer(std::size_t device, std::int64_t chunk, std::int64_t index) {
        const AstraPhase& now = phase(device, chunk);
        return static_cast<std::size_t>(static_cast<std::int64_t>(device) +
                                        (index - index_of(now, device)) * now.stride);
    }

    /// From one phase of a chunk to the next.
    void go_on(std::size_t device, std::int64_t chunk) {
        Pass& now = pass(device, chunk);
        Queue* left = nullptr;
        if (now.phase >= 0) {
            left = &devices_[device].queues[phase(device, chunk).dimension];
            std::erase(left->chunks, chunk);
            --left->working;
        }
        ++now.phase;
        const bool done = now.phase == static_cast<std::ptrdiff_t>(plan_.phase_count);
        Queue* joined = nullptr;
        if (done) {
            devices_[device].end = std::max(devices_[device].end, agenda_.now());
            ++devices_[device].left;
        } else {
            joined = &devices_[device].queues[phase(device, chunk).dimension];
            joined->chunks.push_back(chunk);
        }
        if (left != nullptr) work(device, *left);
        if (joined != nullptr) work(device, *joined);
    }

    void work(std::size_t device, Queue& queue) {
        const auto most = static_cast<std::size_t>(system_.active_chunks);
        while (queue.working < std::min(most, queue.chunks.size())) {
            const std::int64_t chunk = queue.chunks[queue.working++];
            Pass& begun = pass(device, chunk);
            const AstraPhase& now = phase(device, chunk);
            begun.programs.push_back(make_program(now, index_of(now, device), chunk));
            run(device, chunk, &AstraProgram::start);
        }
    }

    void run(std::size_t device, std::int64_t chunk, void (AstraProgram::*step)(AstraProgram::Host&)) {
        Host host{*this, device, chunk};
        (pass(device, chunk).programs.back().get()->*step)(host);
    }

    void prepare(std::size_t device, std::int64_t chunk, std::optional<std::int64_t> reduced) {
        const Ticks prepared = agenda_.now() + phase(device, chunk).endpoint_delay;
        const auto ready = [this, device, chunk] { run(device, chunk, &AstraProgram::ready); };
        if (!reduced) {
            agenda_.at(prepared, device, ready);
            return;
        }
        agenda_.at(prepared, device, [this, device, ready, bytes = *reduced] {
            agenda_.at(agenda_.now() + system_.reduction(bytes), device, ready);
        });
    }

    Channel& channel(std::int64_t chunk, std::size_t from, std::size_t to, std::int64_t bytes) {
        return channels_.try_emplace({chunk, from, to, bytes}, Channel{chunk, from, to, bytes}).first->second;
    }

    void send(std::int64_t chunk, std::size_t from, std::size_t to, std::int64_t bytes) {
        Channel& sent = channel(chunk, from, to, bytes);
        if (!links_) {
            const Ticks delay = system_.delay(members_[from], members_[to], bytes);
            agenda_.at(agenda_.now() + delay, [this, &sent] { arrive(sent); });
            return;
        }
        journeys_.push_back(&sent);
        travel({members_[from], members_[to], bytes, static_cast<std::int64_t>(journeys_.size()) - 1});
    }

    void receive(std::int64_t chunk, std::size_t from, std::size_t to, std::int64_t bytes) {
        Channel& expected = channel(chunk, from, to, bytes);
        if (++expected.expected <= expected.arrived) {
            agenda_.at(agenda_.now(), [this, to, chunk] { run(to, chunk, &AstraProgram::received); });
        }
    }

    void arrive(Channel& channel) {
        if (++channel.arrived <= channel.expected) run(channel.to, channel.chunk, &AstraProgram::received);
    }

    void travel(const AstraLinks::Journey& journey) {
        if (journey.at == journey.to) {
            arrive(*journeys_[static_cast<std::size_t>(journey.message)]);
        } else {
            depart(links_->offer(journey, agenda_.now()));
        }
    }

    void depart(const AstraLinks::Departure* departure) {
        if (departure == nullptr) return;
        const AstraLinks::Departure left = *departure;
        agenda_.at(left.arrives, [this, journey = left.journey] { travel(journey); });
        agenda_.at(left.frees_link, [this, from = left.from, next = left.next] {
            depart(links_->free(from, next, agenda_.now()));
        });
    }

    const AstraSystem& system_;
    const AstraPlan& plan_;
    std::span<const std::int64_t> members_;
    AstraAgenda agenda_;
    std::vector<Device> devices_;
    std::map<std::tuple<std::int64_t, std::size_t, std::size_t, std::int64_t>, Channel> channels_;
    std::optional<AstraLinks> links_;
    std::vector<Channel*> journeys_;
};

}  // namespace

std::vector<Ticks> play_messages(const AstraSystem& system, AstraNetwork network, const AstraPlan& plan,
                                 std::span<const std::int64_t> members) {
    return Player{system, network, plan, members}.play();
}

}  // namespace dse::model
