// What is left out of Emscripten's GLFW and of the Browser library under it: 7 KB of download that the canvas never calls.
//
// GLFW listens on the whole window, where it swallows Tab and Backspace in every field of the page, and on the canvas, where it stops
// the wheel. shell/canvas/events.mjs brings the events instead; without its handlers GLFW has nothing to listen with.
for (const name of Object.keys(LibraryManager.library.$GLFW)) {
  if (/^(on[A-Z]|set\w+Callback$|DOMToGLFWKeyCode$|GLFW2Param|\w*Joystick|\w*Cursor)/.test(name)) delete LibraryManager.library.$GLFW[name];
}

// The Browser library decodes images and sounds, runs a main loop and handles full screen, and its listeners stay on the document for
// ever. GLFW needs of it what makes a WebGL context.
mergeInto(LibraryManager.library, {
  $Browser__deps: ['$GL'],
  $Browser__postset: '',
  $Browser: {
    resizeListeners: [],
    mainLoop: {},
    init: () => {},
    // The element sizes its canvas, whatever GLFW of this or that release calls to do so.
    setCanvasSize: () => {},
    updateCanvasDimensions: () => {},
    updateResizeListeners: () => {},
    createContext: (canvas, useWebGL, setInModule, attributes) => {
      const handle = GL.createContext(canvas, Object.assign({ antialias: false, alpha: false, majorVersion: 2 }, attributes));
      if (!handle) return null;
      GL.makeContextCurrent(handle);
      Module.ctx = GL.getContext(handle).GLctx;
      return Module.ctx;
    },
    destroyContext: () => {},
  },
});
