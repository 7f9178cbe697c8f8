// Makes a device with the options given as arguments and prints its name; or prints the error and exits with 1.
//   gpu_device_probe [DEVICE] [--validation]
#include <cstdio>
#include <string_view>

#include "base/error.h"
#include "gpu/device.h"

int main(int argc, char** argv) {
    sublet::gpu::DeviceOptions options;
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--validation")
            options.validation = true;
        else
            options.selector = argv[i];
    }
    try {
        sublet::gpu::Instance instance(options);
        const sublet::gpu::Device device(instance, options);
        std::printf("%s\n", device.capabilities().name.c_str());
        return 0;
    } catch (const sublet::Error& error) {
        std::printf("%s\n", error.what());
        return 1;
    }
}
