#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "dse/config/node.hpp"

namespace dse::config {

/// YAML files, each of which is read and parsed once: a run asks for the same device, model and error tables
/// several times, and parsing is the largest part of a short run. Files are those of the first call: whatever
/// changes them while dse runs has no effect. May be used by several threads.
class Documents {
  public:
    /// What a file holds. Files with errors are read again every time, to report them every time.
    /// \throws InputError like load_yaml
    std::shared_ptr<const Node> load(const std::string& file, Diagnostics& diagnostics);

  private:
    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<const Node>> read_;
};

}  // namespace dse::config
