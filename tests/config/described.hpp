#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"

/// A specification with a field of every type, as other modules describe theirs.
namespace dse::config::described {

enum class Schedule : std::uint8_t { gpipe, one_f_one_b, interleaved };

inline std::span<const std::string_view> choice_names(Schedule) {
    static constexpr std::array<std::string_view, 3> names{"gpipe", "1f1b", "interleaved"};
    return names;
}

struct Link {
    BytesPerSecond bandwidth{1.0};
    Seconds latency{1e-6};
};

template <class Visitor>
void describe(Visitor& v, Link& link) {
    v.required("bandwidth", link.bandwidth, positive, "per direction");
    v.optional("latency", link.latency, not_negative, "of one message");
    v.renamed("delay", "latency", "of one message");
}

struct Device {
    std::string name;
    Bytes memory;
    Watts power{700};
    Link fabric;
};

template <class Visitor>
void describe(Visitor& v, Device& device) {
    v.optional("name", device.name, "of its file");
    v.required("memory", device.memory, "capacity");
    v.optional("power", device.power, "board power");
    v.optional_section("fabric", device.fabric, "between devices");
}

struct Machine {
    std::string name;
    std::int64_t devices{8};
    std::uint8_t small{0};
    double efficiency{0.5};
    bool overlap{false};
    Schedule schedule{Schedule::gpipe};
    Link network;
    Device device;
};

template <class Visitor>
void describe(Visitor& v, Machine& machine) {
    v.optional("name", machine.name, "what people call it");
    v.required("devices", machine.devices, "in one node");
    v.optional("small", machine.small, "a number of eight bits");
    v.optional("efficiency", machine.efficiency, "of large matrices");
    v.optional("overlap", machine.overlap, "communication behind computation");
    v.optional("schedule", machine.schedule, "of the pipeline");
    v.section("network", machine.network, "between nodes");
    v.from_library("device", machine.device, "hardware/devices", "the accelerator");
}

/// A list as Reader and FieldIndex want it.
class Links {
  public:
    static constexpr std::size_t capacity = 2;
    [[nodiscard]] std::size_t size() const { return size_; }
    void resize(std::size_t size) { size_ = size; }
    Link& operator[](std::size_t i) { return all_[i]; }

  private:
    std::array<Link, capacity> all_{};
    std::size_t size_{0};
};

struct Fabric {
    Links levels;
    std::vector<Link> cables;
};

template <class Visitor>
void describe(Visitor& v, Fabric& fabric) {
    v.optional_list("levels", fabric.levels, "innermost first");
    v.records("cables", fabric.cables, "one by one");
}

}  // namespace dse::config::described
