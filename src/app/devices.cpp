// sublet devices: what each Vulkan device can do, and what it can't and why.
#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>

#include "app/commands.h"
#include "app/file_options.h"
#include "app/output.h"
#include "app/text.h"
#include "gpu/device.h"
#include "render/settings/backend_info.h"

namespace sublet::app {

namespace {

struct DevicesArguments {
    std::filesystem::path json;
};

Json device_json(const gpu::Capabilities& device) {
    Json backends = Json::object();
    for (const render::Backend backend : render::all_backends()) {
        const auto reason = render::backend_unavailable(backend, device);
        backends[std::string(render::backend_name(backend))] = optional_json(reason);
    }
    Json expansions = Json::object();
    for (const render::ExpansionStrategy strategy : render::all_expansions()) {
        const auto reason = render::expansion_unavailable(strategy, device);
        expansions[std::string(render::expansion_name(strategy))] = optional_json(reason);
    }
    Json features = Json::object();
    for (const gpu::Feature& feature : gpu::features()) features[feature.name] = device.*feature.flag;
    return {{"name", device.name},
            {"type", gpu::device_type_name(device.type)},
            {"driver", device.driver},
            {"api", gpu::version_string(device.api_version)},
            {"unusable", device.unusable.empty() ? Json(nullptr) : Json(device.unusable)},
            {"backends", std::move(backends)},
            {"expansions", std::move(expansions)},
            {"features", std::move(features)},
            {"subgroup",
             {{"size", device.subgroup_size}, {"min", device.min_subgroup_size}, {"max", device.max_subgroup_size}}},
            {"memory_bytes", device.device_local_bytes}};
}

void print_device(std::ostream& out, std::size_t index, const gpu::Capabilities& device) {
    out << index << ": " << device.name << " (" << gpu::device_type_name(device.type) << ", " << device.driver
        << ", Vulkan " << gpu::version_string(device.api_version) << ", " << byte_text(device.device_local_bytes)
        << ")\n";
    if (!device.unusable.empty()) {
        out << "   cannot be used: " << device.unusable << '\n';
        return;
    }
    for (const render::Backend backend : render::all_backends()) {
        const auto reason = render::backend_unavailable(backend, device);
        out << "   backend " << render::backend_name(backend) << ": " << (reason ? "no: " + *reason : "yes") << '\n';
    }
    for (const render::ExpansionStrategy strategy : render::all_expansions()) {
        const auto reason = render::expansion_unavailable(strategy, device);
        if (reason) out << "   expansion " << render::expansion_name(strategy) << ": no: " << *reason << '\n';
    }
    std::string present;
    std::string missing;
    for (const gpu::Feature& feature : gpu::features()) {
        std::string& list = device.*feature.flag ? present : missing;
        list += (list.empty() ? "" : ", ") + std::string(feature.name);
    }
    out << "   has: " << (present.empty() ? "none of the optional features" : present) << '\n';
    if (!missing.empty()) out << "   lacks: " << missing << '\n';
    out << "   subgroups of " << device.subgroup_size << " (" << device.min_subgroup_size << " to "
        << device.max_subgroup_size << ")\n";
}

int devices(const DevicesArguments& options) {
    const Output out(options.json);
    const gpu::Instance instance{gpu::DeviceOptions{}};
    Json list = Json::array();
    for (const gpu::DeviceInfo& device : instance.devices()) {
        print_device(out.human(), list.size(), device.capabilities);
        list.push_back(device_json(device.capabilities));
    }
    out.write_json({{"devices", std::move(list)}});
    return kDone;
}

}  // namespace

void add_devices(CLI::App& program, Action& action) {
    auto options = std::make_shared<DevicesArguments>();
    CLI::App* command = program.add_subcommand("devices", "List the Vulkan devices and what they support");
    command->group(kLookingUp);
    command->footer(
        "sublet devices              # which can draw, by which backends\n"
        "sublet devices --json -     # the same for a script");
    add_json_option(*command, options->json, "the list");
    command->callback([options, &action] { action = [options] { return devices(*options); }; });
}

}  // namespace sublet::app
