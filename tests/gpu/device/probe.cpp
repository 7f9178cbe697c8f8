// Makes a device with the options given as arguments and prints its name, its driver and what it lacks; or prints the
// error and exits with 1.
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
        const sublet::gpu::Capabilities& c = device.capabilities();
        std::printf("%s\n%s, Vulkan %s, subgroups of %u (%u to %u, required in stages %#x), most textures %u\nlacks:",
                    c.name.c_str(), c.driver.c_str(), sublet::gpu::version_string(c.api_version).c_str(),
                    c.subgroup_size, c.min_subgroup_size, c.max_subgroup_size, c.required_subgroup_size_stages,
                    c.max_bindless_textures);
        for (const sublet::gpu::Feature& feature : sublet::gpu::features()) {
            if (!(c.*(feature.flag))) std::printf(" %s", feature.name);
        }
        std::printf("\n");
        return 0;
    } catch (const sublet::Error& error) {
        std::printf("%s\n", error.what());
        return 1;
    }
}
