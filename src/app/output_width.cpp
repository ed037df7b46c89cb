#include "app/output_width.hpp"

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

std::string wrapped(const std::string& heading, const std::vector<std::string>& words, std::size_t width) {
    std::string text;
    std::string line = "  " + heading;
    for (const std::string& word : words) {
        if (display_width(line) + 1 + display_width(word) > width) {
            text += line + '\n';
            line = "   ";
        }
        line += ' ' + word;
    }
    return text + line + '\n';
}

}  // namespace dse::app
