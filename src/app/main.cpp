#include "app/commands.h"
#include "base/allocator.h"

int main(int argc, char** argv) {
    sublet::keep_freed_memory();
    return sublet::app::run(argc, argv);
}
