#include "dse/config/ini.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/lower_case.hpp"
#include "dse/config/source_text.hpp"

namespace dse::config {
namespace {

constexpr std::string_view blanks = " \t\r\f\v";

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

class IniParser {
  public:
    IniParser(const std::string& name, Diagnostics& diagnostics)
        : file_{std::make_shared<const std::string>(name)}, diagnostics_{diagnostics} {}

    void line(std::string_view line) {
        ++line_;
        const std::size_t indent = std::min(line.find_first_not_of(blanks), line.size());
        const std::string_view content = trimmed(line);
        if (content.empty() || content.front() == '#' || content.front() == ';') return;
        if (entry_open_ && indent > indent_) {
            file().back().entries.back().value.append("\n").append(content);
        } else if (content.front() == '[') {
            section(content);
        } else {
            indent_ = indent;
            entry(content, static_cast<int>(indent) + 1);
        }
    }

    IniFile result;

  private:
    [[nodiscard]] std::vector<IniSection>& file() { return result.sections; }

    void section(std::string_view content) {
        entry_open_ = false;
        const std::size_t end = content.find(']');
        if (end == std::string_view::npos) return error(1, "a section begins with '[' and has no ']'");
        const std::string name{content.substr(1, end - 1)};
        if (result.find(name) != nullptr) error(1, fmt::format("section [{}] is given twice", excerpt(name)));
        file().push_back({name, Location{file_, line_, 1}, {}});
    }

    void entry(std::string_view content, int column) {
        entry_open_ = false;
        const std::size_t delimiter = content.find_first_of("=:");
        if (delimiter == std::string_view::npos || delimiter == 0)
            return error(column,
                         fmt::format("'{}' is neither a [section] nor key = value", excerpt(content)));
        if (file().empty())
            return error(column, fmt::format("'{}' comes before the first [section]", excerpt(content)));
        const std::string key = lower_case(trimmed(content.substr(0, delimiter)));
        if (file().back().find(key) != nullptr)
            error(column,
                  fmt::format("'{}' is given twice in [{}]", excerpt(key), excerpt(file().back().name)));
        file().back().entries.push_back(
            {key, std::string{trimmed(content.substr(delimiter + 1))}, Location{file_, line_, column}});
        entry_open_ = true;
    }

    void error(int column, std::string message) {
        diagnostics_.error(Location{file_, line_, column}, "", std::move(message));
    }

    std::shared_ptr<const std::string> file_;
    Diagnostics& diagnostics_;
    int line_{0};
    std::size_t indent_{0};   ///< of the previous entry
    bool entry_open_{false};  ///< an indented line continues this entry
};

}  // namespace

const IniEntry* IniSection::find(std::string_view key) const {
    const auto found = std::ranges::find(entries, key, &IniEntry::key);
    return found == entries.end() ? nullptr : &*found;
}

const IniSection* IniFile::find(std::string_view name) const {
    const auto found = std::ranges::find(sections, name, &IniSection::name);
    return found == sections.end() ? nullptr : &*found;
}

IniFile parse_ini(std::string_view text, const std::string& name, Diagnostics& diagnostics) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    IniParser parser{name, diagnostics};
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        parser.line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::move(parser.result);
}

}  // namespace dse::config
