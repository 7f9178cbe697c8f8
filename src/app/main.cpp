#include "app/commands.h"
#include "base/allocator.h"
#include "base/console.h"

int main(int argc, char** argv) {
    sublet::keep_freed_memory();
    const sublet::Console console;
    return sublet::app::run(sublet::program_arguments(argc, argv));
}
