// The viewer's panels. The settings' widgets are made from the renderer's one table.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/output.h"
#include "gpu/device.h"
#include "gpu/profiler.h"
#include "render/renderer.h"
#include "render/settings/settings.h"

namespace sublet::app {

// What there is to show.
struct UiModel {
    const gpu::Capabilities* device = nullptr;
    render::SceneFacts scene_facts;  // of the scene
    std::string_view scene_name;
    std::uint64_t meshes = 0, meshlets = 0, triangles = 0;  // of the scene, each mesh once
    render::Settings running;                               // what auto came to
    const render::Counters* counters = nullptr;
    const gpu::FrameTimes* times = nullptr;
    render::MemoryUse memory;
    gpu::MemoryUsage device_memory;
    double cpu_ms = 0;        // recording and submitting, of the last frame
    double frame_ms = 0;      // from frame to frame
    std::uint64_t frame = 0;  // number of the frame to come, from the scene's first: what freeze-culling counts in
    const render::AmbiguousPixels* ambiguous = nullptr;
    VkExtent2D extent{};
    bool flying = false;
    float fly_speed = 0;
    std::string_view loading;  // what is being loaded; empty: nothing
    std::span<const std::string> notes;
};

// What the user asked for in one frame.
struct UiEvents {
    const render::Setting* changed = nullptr;
    bool reset_camera = false;
    bool copy_camera = false;
    bool toggle_flying = false;
    bool vsync_changed = false;
    bool accepted_offer = false;  // of show_error
};

class Ui {
  public:
    // Between ImguiLayer's begin_frame() and end_frame(). Writes what the user changes into `settings`.
    UiEvents draw(const UiModel& model, render::Settings& settings);

    // `offer`: the text of a button that goes against what the message says; empty: there is none.
    void show_error(std::string message, std::string offer = {}) {
        error_ = std::move(message);
        offer_ = std::move(offer);
    }
    void toggle_hidden() { hidden_ = !hidden_; }
    [[nodiscard]] bool vsync() const { return vsync_; }

    // Where each setting's widget, the list of notes ("notes") and the button of show_error ("offer") were last drawn,
    // in pixels: {"cull-cone": [x, y, width, height]}; zeros where one was not.
    [[nodiscard]] Json widgets_json() const;

  private:
    struct Field {          // of one setting
        std::string text;   // being edited
        std::string error;  // what was wrong with it
        std::array<float, 4> rectangle{};
        bool editing = false;
    };
    struct Smoothed {
        std::string name;
        double ms = 0;
    };

    void smooth(const UiModel& model);
    void draw_controls(const UiModel& model, render::Settings& settings, UiEvents& events);
    void draw_measurements(const UiModel& model);
    void draw_header(const UiModel& model);
    void draw_notes(const UiModel& model);
    void draw_settings(const UiModel& model, render::Settings& settings, UiEvents& events);
    bool draw_setting(const render::Setting& setting, const UiModel& model, render::Settings& settings, Field& field);
    bool draw_choice(const render::Setting& setting, const UiModel& model, render::Settings& settings);
    bool draw_text(const render::Setting& setting, render::Settings& settings, Field& field);
    void draw_times(const UiModel& model);
    void draw_counters(const UiModel& model);
    void draw_memory(const UiModel& model);
    void draw_camera(const UiModel& model, UiEvents& events);
    void draw_loading(const UiModel& model);
    void draw_error(UiEvents& events);

    std::vector<Field> fields_;  // one for each setting
    std::array<float, 4> notes_rectangle_{};
    std::vector<Smoothed> passes_;
    double gpu_ms_ = 0, cpu_ms_ = 0, frame_ms_ = 0;
    std::uint64_t smoothed_frame_ = 0;
    float placed_for_width_ = 0;  // the window's width when the measurements were put at its right edge
    std::string error_, offer_;
    std::array<float, 4> offer_rectangle_{};
    bool hidden_ = false;
    bool vsync_ = true;
};

}  // namespace sublet::app
