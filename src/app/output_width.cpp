#include "app/output_width.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

#include "app/text_table.hpp"

namespace dse::app {

std::size_t output_width() {
    constexpr std::size_t narrowest = 20;
    if (const char* columns = std::getenv("COLUMNS")) {
        const std::string_view text{columns};
        std::size_t width = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
        if (error == std::errc{} && end == text.data() + text.size() && width >= narrowest) return width;
    }
    winsize size{};
    const bool is_terminal = isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
                             size.ws_col >= narrowest;
    return is_terminal ? size.ws_col : any_width;
}

void add_broken(std::string& text, std::string line, std::size_t indent, std::size_t width) {
    while (display_width(line) > width) {
        std::size_t last = std::string::npos;
        for (std::size_t at = line.find(' ', indent); at != std::string::npos; at = line.find(' ', at + 1)) {
            const bool is_between = at > indent && line.find_last_not_of(' ', at) >= indent &&
                                    line.find_last_not_of(' ', at) != std::string::npos;
            if (!is_between) continue;
            if (last != std::string::npos && display_width(line.substr(0, at)) > width) break;
            last = at;  // of a first word that does not fit anyway, the end
        }
        if (last == std::string::npos || line.find_first_not_of(' ', last) == std::string::npos) break;
        text += line.substr(0, line.find_last_not_of(' ', last) + 1) + '\n';
        line = std::string(indent, ' ') + line.substr(line.find_first_not_of(' ', last));
    }
    text += line + '\n';
}

std::string paragraph(const std::string& sentence) {
    constexpr std::size_t widest = 100;
    std::string result;
    add_broken(result, sentence, std::min(sentence.find_first_not_of(' '), sentence.size()),
               std::min(output_width(), widest));
    return result;
}

std::string fitted_lines(const std::string& text, std::size_t width) {
    std::string result;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        add_broken(result, line, std::min(line.find_first_not_of(' '), line.size()) + 2, width);
    }
    return result;
}

std::string fitted_help(const std::string& text, std::size_t column, std::size_t width) {
    constexpr std::size_t narrowest_description = 20;
    const bool is_wide = width >= column + narrowest_description;
    std::string result;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        const bool is_entry = line.starts_with("  ") && line.size() > column && line[column - 1] == ' ';
        // The names were padded by bytes.
        if (is_entry) line.insert(column, column - display_width(line.substr(0, column)), ' ');
        add_broken(result, std::move(line), is_entry && is_wide ? column : is_entry ? 4 : 0, width);
    }
    return result;
}

std::string wrapped(const std::string& heading, const std::vector<std::string>& words, std::size_t width) {
    std::string text;
    std::string line = "  " + heading;
    for (const std::string& word : words) {
        if (display_width(line) + 1 + display_width(word) > width) {
            add_broken(text, std::move(line), 4, width);
            line = "   ";
        }
        line += ' ' + word;
    }
    return text + line + '\n';
}

}  // namespace dse::app
