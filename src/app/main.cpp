#ifdef __linux__
#include <malloc.h>
#endif

#include "app/command_line.hpp"

namespace {

/// Memory that is freed is soon wanted again: giving it back to the system and having it cleared anew would
/// take longer than filling it.
void keep_freed_memory() {
#ifdef M_TRIM_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that glibc takes
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

}  // namespace

int main(int argc, char** argv) {
    keep_freed_memory();
    return dse::app::run_command_line({argv + 1, argv + argc});
}
