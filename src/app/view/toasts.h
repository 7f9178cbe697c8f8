// Messages over the picture, each of which goes with its cause.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/view/widgets.h"

namespace sublet::app {

enum class ToastKind : std::uint8_t { kError, kDone };

class Toasts {
  public:
    // `cause`: what it is about ("scene", "setting backend"): a message of the same cause is replaced. `offer`: the
    // text of a button that goes against what it says; empty: there is none. Errors are red.
    void show(std::string cause, std::string text, std::string offer = {}, ToastKind kind = ToastKind::kError);
    // The same of an error, where there is one; an empty text is none.
    void show_any(const char* cause, const std::string& error) {
        if (!error.empty()) show(cause, error);
    }
    // The cause is gone: so is its message, if there is one.
    void clear(std::string_view cause);
    // Takes the newest message away. False: there is none.
    bool dismiss();
    [[nodiscard]] bool empty() const { return toasts_.empty(); }

    // One above the other, from the lower right corner `at` of what they may cover, `width` pixels wide. Returns the
    // cause of the message whose offer was accepted in this frame, or nothing.
    [[nodiscard]] std::string draw(ImVec2 at, float width, WidgetMap& widgets);

  private:
    struct Toast {
        std::string cause, text, offer;
        ToastKind kind = ToastKind::kError;
    };
    std::vector<Toast> toasts_;
};

}  // namespace sublet::app
