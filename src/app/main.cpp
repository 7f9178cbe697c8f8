#include "app/commands.h"

int main(int argc, char** argv) {
    return sublet::app::run(argc, argv);
}
