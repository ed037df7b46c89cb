#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "dse/config/node.hpp"

namespace dse::config {

/// YAML files, each of which is read and parsed once, and folders of them, each of which is listed once: a
/// run asks for the same device, model and error tables several times, and parsing is the largest part of a
/// short run. Files are those of the first call: whatever changes them while dse runs has no effect. May be
/// used by several threads.
class Documents {
  public:
    /// What a file holds. Files with errors are read again every time, to report them every time.
    /// \throws InputError like load_yaml
    std::shared_ptr<const Node> load(const std::string& file, Diagnostics& diagnostics);

    /// Names of all YAML files of a folder in any of the roots, sorted.
    /// \param roots  always the same
    std::vector<std::string> names(std::string_view folder, const std::vector<std::string>& roots);

  private:
    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<const Node>> read_;
    std::map<std::string, std::vector<std::string>, std::less<>> listed_;  ///< names by folder
};

}  // namespace dse::config
