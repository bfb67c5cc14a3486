// The importing module's border. Bytes of files are written by the caller straight into this memory, one file after another;
// numbers cross as text, since Embind's own are left out (embind_library.js). Answers are views of JSON text, which hold until
// the next call.
//
//   file(name, total)  begins a file of so many bytes
//   more(count)        a view of so many bytes behind what the file has, to be filled
//   need()             {"bytes", "error"}: how much of its beginning is needed; asked anew when that much is there
//   import_files()     all files as a model; they are forgotten then
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "import_json.h"
#include "json_writer.h"

namespace {

// Grows without filling: what is asked for is written at once.
struct Bytes {
  std::unique_ptr<char[]> data;
  std::size_t size = 0;

  char* grow(std::size_t by) {
    std::unique_ptr<char[]> larger(new char[size + by + 1]);
    if (size > 0) std::memcpy(larger.get(), data.get(), size);
    data = std::move(larger);
    size += by;
    return data.get() + size - by;
  }
};
struct File {
  std::string name;
  double total = 0;
  Bytes head;
  vramfit::ImportFile seen() const { return {name, {head.data.get(), head.size}, total}; }
};
std::vector<File> files;

emscripten::val view(std::size_t size, const char* data) {
  return emscripten::val(emscripten::typed_memory_view(size, reinterpret_cast<const unsigned char*>(data)));
}
emscripten::val bytes_of(std::string text) {
  static std::string held;
  held = std::move(text);
  return view(held.size(), held.data());
}

double number_of(const std::string& text) {
  double n = 0;
  for (const char c : text) n = n * 10 + (c - '0');
  return n;
}

void file(const std::string& name, const std::string& total) { files.push_back({name, number_of(total), {}}); }

emscripten::val more(const std::string& count) {
  const auto size = static_cast<std::size_t>(number_of(count));
  return view(size, files.back().head.grow(size));
}

emscripten::val need() {
  const vramfit::HeadNeed answer = vramfit::head_need(files.back().seen());
  vramfit::JsonWriter w;
  w.open('{');
  w.member("bytes", answer.bytes);
  w.member("error", std::string(answer.error ? answer.error : ""));
  w.close('}');
  return bytes_of(std::string(w.written()));
}

emscripten::val import_files() {
  std::vector<vramfit::ImportFile> seen;
  for (const File& f : files) seen.push_back(f.seen());
  std::string answer = vramfit::import_json(vramfit::import_model(seen));
  files.clear();
  return bytes_of(std::move(answer));
}

}  // namespace

// As in bindings.cpp: for the sake of 2 KB.
extern "C" int siprintf(char* out, const char*, ...) {
  *out = 0;
  return 0;
}

EMSCRIPTEN_BINDINGS(vramfit_import) {
  emscripten::function("file", &file);
  emscripten::function("more", &more);
  emscripten::function("need", &need);
  emscripten::function("import_files", &import_files);
}
