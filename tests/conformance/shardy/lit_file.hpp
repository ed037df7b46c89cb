#pragma once

#include <cstddef>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dse/ir/readers/source.hpp"

namespace dse::conformance {

/// A function of a compiler's test file: the text of a module that holds it, and what the compiler's result
/// is expected to say of it.
struct LitFunction {
    std::string name;
    std::string module;               ///< meshes of its section, itself, and the functions that calls need
    std::vector<std::string> checks;  ///< CHECK, CHECK-NEXT, CHECK-LABEL; CHECK-SAME lines joined to theirs
};

/// Splits the test files of MLIR's projects: sections at `// -----`, in them functions. Checks belong to the
/// function in which they stand; before a function, to that one.
/// Source: LLVM, "FileCheck", "lit" (the format of the directives)
class LitFile {
  public:
    explicit LitFile(const std::string& path) {
        const auto source = ir::Source::file(path);
        std::istringstream text{std::string{source.text()}};
        for (std::string line; std::getline(text, line);) take(line);
        end_section();
    }
    [[nodiscard]] std::vector<LitFunction> functions() && { return std::move(functions_); }

  private:
    struct Part {
        LitFunction function;
        std::string text;
    };

    void take(const std::string& line) {
        if (line.starts_with("// -----")) {
            end_section();
            return;
        }
        if (const std::size_t comment = line.find("// "); comment != std::string::npos) {
            check(line.substr(comment + 3));
            if (line.find_first_not_of(' ') == comment) return;
        }
        static const std::regex function{R"(^\s*(func\.)?func (public |private )?@(\w+))"};
        std::smatch found;
        if (std::regex_search(line, found, function)) {
            parts_.push_back({{found[3], {}, std::exchange(pending_, {})}, {}});
            inside_ = true;
        }
        if (inside_)
            parts_.back().text += line + "\n";
        else if (!line.empty())
            preamble_ += line + "\n";
        if (line == "}") inside_ = false;
    }

    void check(const std::string& comment) {
        static const std::regex directive{
            R"(^\s*CHECK(-NEXT|-SAME|-LABEL|-NOT|-DAG)?(\{LITERAL\})?:?\s(.*))"};
        std::smatch found;
        if (!std::regex_match(comment, found, directive)) return;
        const std::string kind = found[1];
        if (kind == "-NOT") return;
        // A label is of the function that follows, even where that has not begun.
        std::vector<std::string>& checks =
            inside_ && kind != "-LABEL" && pending_.empty() ? parts_.back().function.checks : pending_;
        if (kind == "-SAME" && !checks.empty())
            checks.back() += " " + found[3].str();
        else
            checks.push_back(found[3]);
    }

    void end_section() {
        std::string all;
        bool calls = false;
        for (const Part& part : parts_) {
            all += part.text;
            calls = calls || part.text.find("call @") != std::string::npos;
        }
        for (Part& part : parts_) {
            part.function.module = preamble_ + (calls ? all : part.text);
            functions_.push_back(std::move(part.function));
        }
        parts_.clear();
        pending_.clear();
        preamble_.clear();
        inside_ = false;
    }

    std::vector<LitFunction> functions_;
    std::vector<Part> parts_;           ///< of the section
    std::vector<std::string> pending_;  ///< checks before their function
    std::string preamble_;
    bool inside_{false};
};

}  // namespace dse::conformance
