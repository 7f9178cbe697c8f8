// sublet bench: times every combination of the settings that vary.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/camera_path.h"
#include "app/commands.h"
#include "app/environment_file.h"
#include "app/file_options.h"
#include "app/frame_capture.h"
#include "app/keep/load_options.h"
#include "app/keep/preset.h"
#include "app/micro.h"
#include "app/output.h"
#include "app/plain_options.h"
#include "app/session.h"
#include "app/setting_notes.h"
#include "app/setting_options.h"
#include "app/text.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/stopwatch.h"
#include "base/suggest.h"
#include "base/thread_pool.h"
#include "render/settings/setting_guide.h"

namespace sublet::app {

namespace {

constexpr std::size_t kMaxRuns = 100'000;
// More runs than this and the table of passes is wider than a terminal.
constexpr std::size_t kMaxPassColumns = 6;

// One --vary.
struct Varied {
    const render::Setting* setting = nullptr;
    std::vector<std::string> values;
};

struct BenchArguments {
    std::filesystem::path scene, camera_path, json, csv;
    std::string micro;
    std::vector<std::string> vary;
    PictureSize size{1920, 1080};
    std::uint32_t frames = 100;
    std::uint32_t warmup = 10;
    bool frames_given = false;
    LoadOptions load;
    CaptureOptions capture;
    render::Settings settings;
    std::vector<const render::Setting*> written;  // of these, on the command line
};

// One combination, and what it gave.
struct Run {
    std::vector<std::pair<const render::Setting*, std::string>> varied;
    render::Settings settings;
    RunResult result;
    gpu::Capabilities device;
    std::optional<std::uint64_t> messages;
};

// "backend=mdi,direct". Throws UsageError for an unknown setting, and for a value that no device knows.
Varied parse_vary(const std::string& text, const render::Settings& settings) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) throw UsageError("--vary: '" + text + "' is not SETTING=value,value...");
    std::string name = text.substr(0, equals);
    if (name.starts_with("--")) name.erase(0, 2);
    Varied varied;
    varied.setting = render::find_setting(name);
    if (varied.setting == nullptr) {
        std::vector<std::string_view> known;
        for (const render::Setting& setting : render::settings_table()) known.push_back(setting.name);
        throw UsageError("--vary: there is no setting '" + name + "'" + did_you_mean(name, known) +
                         " ('sublet bench --help' shows all)");
    }
    std::size_t at = equals;
    while (at != std::string::npos) {
        const std::size_t next = text.find(',', at + 1);
        varied.values.push_back(text.substr(at + 1, next == std::string::npos ? next : next - at - 1));
        at = next;
    }
    for (const std::string& value : varied.values) {
        render::Settings trial = settings;
        try {
            varied.setting->set(trial, value);
        } catch (const Error& error) {
            throw UsageError("--vary: " + std::string(error.what()));
        }
    }
    return varied;
}

// The product of all --vary, the last one changing fastest.
std::vector<Run> make_runs(const BenchArguments& options) {
    std::vector<Run> runs(1);
    runs.front().settings = options.settings;
    for (const std::string& text : options.vary) {
        const Varied varied = parse_vary(text, options.settings);
        if (runs.size() * varied.values.size() > kMaxRuns) throw UsageError("--vary: more than 100,000 combinations");
        std::vector<Run> product;
        for (const Run& run : runs) {
            for (const std::string& value : varied.values) {
                Run next = run;
                varied.setting->set(next.settings, value);
                next.varied.emplace_back(varied.setting, value);
                product.push_back(std::move(next));
            }
        }
        runs = std::move(product);
    }
    return runs;
}

// Reads the pictures that runs are lit by, each once, before any run: a wrong one is found at once.
void read_environments(std::vector<Run>& runs) {
    for (auto run = runs.begin(); run != runs.end(); ++run) {
        render::EnvironmentSource& source = run->settings.frame.environment;
        const auto same = std::find_if(runs.begin(), run, [&](const Run& before) {
            return before.settings.frame.environment.file == source.file;
        });
        if (same != run) source.picture = same->settings.frame.environment.picture;
        read_environment(run->settings);
    }
}

// Device and scene, kept from run to run as long as the settings allow.
class Stage {
  public:
    Stage(std::filesystem::path path, const LoadOptions& load, const CaptureOptions& capture)
        : path_(std::move(path)), load_(load), capture_(capture) {}

    Session& prepare(const render::Settings& settings) {
        const std::string device = scope_key(settings, render::SettingScope::kDevice);
        const std::string scene = scope_key(settings, render::SettingScope::kScene);
        const bool loads = !have_scene_ || (path_.empty() && seed_ != settings.scene.seed);
        if (loads || device != device_key_) session_.reset();  // it shows the scene that goes; one device at a time
        std::future<std::unique_ptr<Session>> opening;
        // Drivers take as long for it as small scenes take.
        if (!session_) {
            opening = std::async([&settings] { return std::make_unique<Session>(settings); });
        }
        if (loads) {
            ThreadPool pool;
            scene_ = load_scene(path_, settings.scene.seed, pool, load_);
            show_notes(scene_.notes);
            have_scene_ = true;
            seed_ = settings.scene.seed;
        }
        if (opening.valid()) {
            session_ = opening.get();
            wait_for_key(std::exchange(capture_, {}));  // once
            session_->frames().set_scene(scene_, settings.scene);
        } else if (scene != scene_key_) {
            session_->frames().set_scene(scene_, settings.scene);
        }
        device_key_ = device;
        scene_key_ = scene;
        return *session_;
    }

    // Gives the device back, for good; what validation said, as Session::close has it.
    std::pair<std::optional<std::uint64_t>, std::string> close() {
        if (!session_) return {};
        const auto messages = session_->close();
        std::string first = session_->first_validation_message();
        session_.reset();
        return {messages, std::move(first)};
    }

    // True when the next run needs another device.
    [[nodiscard]] bool changes_device(const render::Settings& next) const {
        return session_ && scope_key(next, render::SettingScope::kDevice) != device_key_;
    }

  private:
    std::filesystem::path path_;
    LoadOptions load_;
    CaptureOptions capture_;
    scene::EncodedScene scene_;
    bool have_scene_ = false;
    std::uint32_t seed_ = 0;
    std::string device_key_, scene_key_;
    std::unique_ptr<Session> session_;
};

std::string label(const Run& run) {
    std::string text;
    for (const auto& [setting, value] : run.varied) {
        text += (text.empty() ? "" : " ") + (value.empty() ? "-" : value);
    }
    return text.empty() ? "ms" : text;
}

// "backend=mdi cull-cone=on"
std::string run_name(const Run& run) {
    std::string text;
    for (const auto& [setting, value] : run.varied) {
        text += (text.empty() ? "" : " ") + std::string(setting->name) + "=" + value;
    }
    return text;
}

void print_runs(std::ostream& out, std::span<const Run> runs) {
    std::vector<std::string> headings;
    for (const auto& [setting, value] : runs.front().varied) headings.emplace_back(setting->name);
    for (const char* heading : {"GPU median", "min", "p95", "CPU median", "instances", "meshlets", "triangles"}) {
        headings.emplace_back(heading);
    }
    Table table(headings);
    for (const Run& run : runs) {
        std::vector<std::string> row;
        for (const auto& [setting, value] : run.varied) row.push_back(value.empty() ? "-" : value);
        const auto gpu_ms = summarize(run.result.gpu_ms);
        const auto cpu_ms = summarize(run.result.cpu_ms);
        for (double Summary::*figure : {&Summary::median, &Summary::min, &Summary::p95}) {
            row.push_back(gpu_ms ? fixed((*gpu_ms).*figure, 3) : "not timed");
        }
        row.push_back(cpu_ms ? fixed(cpu_ms->median, 3) : "not timed");
        const render::Counters& counters = run.result.counters;
        row.push_back(grouped(counters.instances_visible));
        const bool counted = counters.funnel && counters.funnel->meshlets;
        row.push_back(counted ? grouped(counters.funnel->meshlets->drawn()) : "-");
        row.push_back(grouped(counters.primitives_drawn));
        table.add(std::move(row));
    }
    table.print(out, 2);
}

// A row for each pass, a column of medians for each run.
void print_passes(std::ostream& out, std::span<const Run> runs) {
    std::vector<std::string> headings{"pass"};
    std::vector<std::string> names;
    for (const Run& run : runs) {
        headings.push_back(label(run));
        for (const PassSamples& pass : run.result.passes) {
            if (std::ranges::find(names, pass.name) == names.end()) names.push_back(pass.name);
        }
    }
    if (names.empty()) return;
    Table table(headings);
    for (const std::string& name : names) {
        std::vector<std::string> row{name};
        for (const Run& run : runs) {
            std::string cell;
            for (const PassSamples& pass : run.result.passes) {
                if (pass.name != name) continue;
                const auto summary = summarize(pass.ms);
                cell = summary ? fixed(summary->median, 3) : "not timed";
            }
            row.push_back(std::move(cell));
        }
        table.add(std::move(row));
    }
    std::vector<std::string> between{gpu::kBetweenPasses};
    for (const Run& run : runs) {
        const auto summary = summarize(run.result.between_ms);
        between.push_back(summary ? fixed(summary->median, 3) : "not timed");
    }
    table.add(std::move(between));
    out << '\n';
    table.print(out, 2);
}

// Of the first `done` runs.
Json bench_json(const BenchArguments& options, const std::vector<Run>& runs, std::size_t done) {
    Json list = Json::array();
    Json notes = Json::array();  // of all runs, each once
    for (const Run& run : std::span(runs).first(done)) {
        for (const std::string& note : run.result.notes) {
            if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
        }
        Json vary = Json::object();
        for (const auto& [setting, value] : run.varied) vary[std::string(setting->name)] = value;
        Json json{{"vary", std::move(vary)}};
        json.update(run_json(run.result, run.device));
        json["series"] = series_json(run.result.series);
        if (run.result.streaming) json["series"]["seen_error"] = run.result.streaming->errors;
        json["warmup"] = run.result.warmup;
        json["validation_messages"] = optional_json(run.messages);
        list.push_back(std::move(json));
    }
    return {{"scene", scene_name(options.scene)}, {"size", {options.size.width, options.size.height}},
            {"notes", std::move(notes)},          {"complete", done == runs.size()},
            {"planned_runs", runs.size()},        {"runs", std::move(list)}};
}

// For spreadsheets: a row for each run and pass, before those two for its whole frames, behind them one for what is
// between passes. Columns: the run, what varies, the backend unless that does, the pass, its times, and how many frames
// they are of. Of the runs behind the first `done` there is a row that says so in the place of the pass.
std::string bench_csv(const std::vector<Run>& runs, std::size_t done) {
    const render::Setting* backend = render::find_setting("backend");
    const auto& varied = runs.front().varied;
    const bool backend_varies = std::ranges::any_of(varied, [&](const auto& one) { return one.first == backend; });
    std::string out = "run,";
    for (const auto& [setting, value] : varied) out += csv_field(std::string(setting->name)) + ",";
    out += std::string(backend_varies ? "" : "backend,") + "pass,median_ms,min_ms,p95_ms,frames\n";
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::string start = std::to_string(i + 1) + ",";
        for (const auto& [setting, value] : runs[i].varied) start += csv_field(value) + ",";
        if (!backend_varies)
            start += csv_field(backend->get(i < done ? runs[i].result.settings : runs[i].settings)) + ",";
        if (i >= done) {
            out += start + "not done,,,,0\n";
            continue;
        }
        const auto add = [&](const std::string& pass, const std::vector<double>& ms) {
            out += start + csv_field(pass);
            const auto summary = summarize(ms);
            for (double Summary::*figure : {&Summary::median, &Summary::min, &Summary::p95}) {
                out += "," + (summary ? significant((*summary).*figure, 7) : "");
            }
            out += "," + std::to_string(ms.size()) + "\n";
        };
        add("whole frame (GPU)", runs[i].result.gpu_ms);
        add("whole frame (CPU)", runs[i].result.cpu_ms);
        for (const PassSamples& pass : runs[i].result.passes) add(pass.name, pass.ms);
        add(gpu::kBetweenPasses, runs[i].result.between_ms);
    }
    return out;
}

// The files of a bench. They are written anew while it goes on, so that whatever ends it leaves what was done until
// then; each time whole.
class BenchFiles {
  public:
    explicit BenchFiles(const BenchArguments& options, const Output& out) : options_(options), out_(out) {}

    // After a run that is not the last, unless writing takes much of the time: with very many runs it might.
    void keep(const std::vector<Run>& runs, std::size_t done) {
        if (since_.milliseconds() < kShareOfTime * took_) return;
        const Stopwatch watch;
        // To a pipe or a device no text can be written anew.
        const auto again = [](const std::filesystem::path& file) {
            return !file.empty() && file != "-" && path_kind(file) != PathKind::kSpecial;
        };
        if (again(options_.json)) out_.write_json(bench_json(options_, runs, done));
        if (again(options_.csv)) write_file(options_.csv, bench_csv(runs, done));
        took_ = watch.milliseconds();
        since_ = Stopwatch();
    }

    void finish(const std::vector<Run>& runs, std::size_t done) const {
        out_.write_json(bench_json(options_, runs, done));
        if (!options_.csv.empty()) write_file(options_.csv, bench_csv(runs, done));
    }

  private:
    static constexpr double kShareOfTime = 20;  // 1/20 at most

    const BenchArguments& options_;
    const Output& out_;
    double took_ = 0;  // the last time, in ms
    Stopwatch since_;
};

// Those that had no effect in any run, each once.
void note_useless_settings(const BenchArguments& options, const RunPlan& plan, const std::vector<Run>& runs) {
    std::vector<const render::Setting*> written = options.written;
    for (const auto& [setting, value] : runs.front().varied) {
        if (std::ranges::find(written, setting) == written.end()) written.push_back(setting);
    }
    SettingNotes notes(written);
    for (const Run& run : runs) {
        notes.add(run.settings, run.result.plan,
                  {.frames = plan.frames,
                   .builtin_scene = options.scene.empty(),
                   .camera_path = plan.path != nullptr,
                   .clicks = false,
                   .moves = run.result.moving_nodes,
                   .deforms = run.result.animation.deforms,
                   .joints = run.result.joints,
                   .levels = run.result.levels,
                   .lights = run.result.lights,
                   .blended = run.result.blended});
    }
    notes.write();
}

int bench(const BenchArguments& options) {
    if (!options.micro.empty()) {
        const Micro& micro = find_micro(options.micro);
        for (const render::Setting* setting : options.written) {
            const bool used = setting->scope == render::SettingScope::kDevice ||
                              std::ranges::find(micro.settings, setting->name) != micro.settings.end();
            if (!used)
                note("--" + std::string(setting->name) + " has no effect. --micro " + options.micro +
                     " does not go by it.");
        }
        return run_micro(micro, options.settings, Output(options.json));
    }
    const Output out(options.json,
                     {{"SCENE", options.scene}, {"--camera-path", options.camera_path}, {"--csv", options.csv}});
    if (!options.csv.empty()) {
        check_output({"--csv", options.csv}, {{"SCENE", options.scene}, {"--camera-path", options.camera_path}});
        check_written_name("--csv", options.csv, {".csv"});
    }
    std::vector<Run> runs = make_runs(options);
    read_environments(runs);
    std::optional<CameraPath> path;
    if (!options.camera_path.empty()) path = read_camera_path(options.camera_path);
    for (Run& run : runs) {
        if (path) go_on_along_path(run.settings.scene);
    }
    RunPlan plan;
    plan.size = options.size;
    plan.warmup = options.warmup;
    plan.path = path ? &*path : nullptr;
    plan.frames = path && !options.frames_given ? path->frames : options.frames;
    plan.counters_apart = true;
    plan.fps = kPathFramesPerSecond;

    check_captured(options.capture, plan.frames);
    const FrameCapture capture(options.capture);
    plan.capture = &capture;

    Stage stage(options.scene, options.load, options.capture);
    std::uint64_t all_messages = 0;
    bool validated = false;
    std::string first_message;
    // Messages are known once the device is gone: they count for the runs that it did.
    const auto close = [&](std::size_t end) {
        const auto [messages, first] = stage.close();
        if (!messages) return;
        validated = true;
        all_messages += *messages;
        if (first_message.empty()) first_message = first;
        for (std::size_t i = end; i-- > 0 && !runs[i].messages;) runs[i].messages = messages;
    };
    BenchFiles files(options, out);
    std::size_t done = 0;
    const auto report = [&] {
        const auto of = std::span<const Run>(runs).first(done);
        const gpu::Capabilities& device = runs.front().device;
        out.human() << scene_name(options.scene) << " on " << device.name << " (" << device.driver << "), "
                    << plan.size.width << "x" << plan.size.height << ", " << counted(plan.frames, "frame") << " after "
                    << plan.warmup << "; times in ms\n";
        print_runs(out.human(), of);
        if (of.size() <= kMaxPassColumns) print_passes(out.human(), of);
        if (of.size() == 1) print_all_streaming(out.human(), of.front().result);
        files.finish(runs, done);
    };
    try {
        Progress progress("bench", runs.size(), "runs");
        while (done < runs.size()) {
            Run& run = runs[done];
            if (stage.changes_device(run.settings)) close(done);
            if (run.settings.device.shader_statistics) {  // what the driver says of pipelines is of these
                note("settings: backend=" + render::find_setting("backend")->get(run.settings) + " " + run_name(run));
            }
            Session& session = stage.prepare(run.settings);
            run.result = session.frames().run(run.settings, plan);
            run.device = session.capabilities();
            progress.advance();
            if (++done < runs.size()) files.keep(runs, done);
        }
    } catch (...) {
        if (done == 0) throw;
        note("bench stopped in run " + std::to_string(done + 1) + " of " + std::to_string(runs.size()) + " (" +
             run_name(runs[done]) + "); those before it are told of");
        close(done);
        report();
        throw;
    }
    close(runs.size());
    note_useless_settings(options, plan, runs);
    report();
    require_no_validation_messages(validated ? std::optional(all_messages) : std::nullopt, first_message);
    return kDone;
}

}  // namespace

void add_bench(CLI::App& program, Action& action) {
    auto options = std::make_shared<BenchArguments>();
    CLI::App* command = program.add_subcommand("bench", "Time frames without a window, over combinations of settings");
    command->group(kLookingUp);
    command->footer(
        "sublet bench model.glb                                        # one way of drawing, pass by pass\n"
        "sublet bench --vary backend=compact,mdi,direct                # which is the fastest?\n"
        "sublet bench --vary backend=mdi,direct --vary cull-cone=on,off  # each with each\n"
        "sublet bench model.glb --grid 13x13x13 --csv times.csv        # a large scene; times for a spreadsheet\n"
        "sublet bench --micro scan                                     # one building block alone");
    add_scene_option(*command, options->scene);
    add_load_options(*command, options->load);
    add_size_option(*command, options->size);
    const std::string measuring(render::group_title(render::SettingGroup::kMeasuring));
    CLI::Option* frames =
        add_count_option(*command, "--frames", options->frames, 1, 1'000'000, "How many frames to time");
    frames->group(measuring);
    add_count_option(*command, "--warmup", options->warmup, 0, 1'000'000, "How many frames to draw before")
        ->group(measuring);
    command
        ->add_option("--vary", options->vary,
                     "Time each of these values of a setting; several --vary make the product of all")
        ->type_name("SETTING=a,b,c")
        ->allow_extra_args(false)
        ->group(measuring);
    std::vector<NamedValue> blocks;
    for (const Micro& block : micros()) blocks.push_back({block.name, block.measures});
    CLI::Option* micro = add_choice_option(*command, "--micro", options->micro, blocks,
                                           "Time one building block alone, over sizes; no scene goes with it.");
    micro->group(measuring);
    add_json_option(*command, options->json, "the measurements");
    add_capture_options(*command, options->capture);
    add_file_option(*command, "--csv", options->csv,
                    "Write times as a table, a row for each run and pass, to this file")
        ->excludes(micro)
        ->type_name("FILE.csv");
    add_preset_option(*command, options->settings);  // before the settings, which win
    add_setting_options(*command, options->settings);
    add_camera_path_option(*command, options->camera_path,
                           "A camera for every frame, from this file; it sets --frames unless that is given.");
    for (const char* of_scenes : {"SCENE", "--allow-outside", "--cache", "--size", "--frames", "--warmup", "--vary",
                                  "--camera-path", "--capture", "--wait-for-key"}) {
        micro->excludes(command->get_option(of_scenes));
    }
    command->callback([options, command, frames, &action] {
        options->frames_given = frames->count() > 0;
        options->written = given_settings(*command);
        action = [options] { return bench(*options); };
    });
}

}  // namespace sublet::app
