#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "dse/base/error.hpp"
#include "dse/study/setting.hpp"
#include "dse/study/sweep.hpp"
#include "support/temporary_folder.hpp"

namespace dse::test {

/// Sweeps written by tests, in a folder of their own; models, clusters and stacks are the project's.
class WrittenSweeps {
  public:
    using Settings = std::vector<study::Setting>;
    using Load = std::function<study::Sweep(const std::string& file, const Settings& settings)>;

    explicit WrittenSweeps(Load load) : load_{std::move(load)} {}

    /// A sweep of Llama-3 8B on 16 H100s; what varies is written as YAML.
    static std::string llama(const std::string& rest, const std::string& workload = "",
                             const std::string& cluster = "h100_ndr400") {
        return "name: t\n"
               "workload: {model: llama3_8b, global_batch: 16, sequence: 2048" +
               (workload.empty() ? "" : ", " + workload) +
               "}\n"
               "system: {cluster: " +
               cluster + ", devices: 16}\n" + rest;
    }

    [[nodiscard]] study::Sweep load(const std::string& yaml, const Settings& settings = {}) const {
        return load_(folder_.write("t.yaml", yaml), settings);
    }

    /// All errors, one a line, places without the folder.
    [[nodiscard]] std::string errors(const std::string& yaml, const Settings& settings = {}) const {
        try {
            static_cast<void>(load(yaml, settings));
            return "";
        } catch (const InputError& error) {
            std::string text = error.what();
            const std::string prefix = folder_.path() + "/";
            for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
                text.erase(at, prefix.size());
            }
            return text;
        }
    }

    [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }

  private:
    Load load_;
    TemporaryFolder folder_;
};

/// Every point of a small sweep.
inline std::vector<space::Point> points_of(const study::Sweep& sweep) {
    std::vector<space::Point> points;
    space::Point point;
    for (std::uint64_t id = 0; id < sweep.space->grid_size().exact.value(); ++id) {
        point.id = id;
        if (sweep.space->point(id, point)) points.push_back(point);
    }
    return points;
}

}  // namespace dse::test
