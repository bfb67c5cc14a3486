// Pointer, wheel and keyboard on the canvas. GLFW's own listeners are off: they would take keys and wheel from the whole page.
//
// A finger's press is held back until it is clear what it is: a tap, a drag to the side, or the page being scrolled.
const dragStart = 7;  // CSS pixels that a finger may wander in a tap

export function bindEvents({ canvas, typing, signal, core, send, drawNow, schedule, takesWheel }) {
  const listen = (target, type, handler, options = {}) => target.addEventListener(type, handler, { signal, ...options });

  // --- pointer ---

  let finger = null;  // {x, y, as: 'undecided', 'drag' or 'scroll'}
  let pointerFocus = false;
  let pressed = false;
  let lastX = 0;  // device pixels

  function moved(event) {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    lastX = (event.clientX - left) * (canvas.width / width);
    core._vramfit_pointer_moved(lastX, (event.clientY - top) * (canvas.height / height), event.pointerType === 'touch');
    schedule();
  }
  function takeFocus() {
    pointerFocus = true;
    canvas.focus({ preventScroll: true });
    pointerFocus = false;
  }
  function button(down, touch) {
    pressed = down;
    core._vramfit_pointer_button(down, touch);
    schedule();
  }
  // Until all is settled, within the gesture: only there may the keyboard of a phone be asked for.
  function settle() {
    for (let i = 0; i < 8; i += 1) drawNow();
  }
  function left() {
    core._vramfit_pointer_left();
    schedule();
  }

  listen(canvas, 'pointerdown', (event) => {
    if (!event.isPrimary && finger) return giveUp();  // two fingers are the browser's
    if (!event.isPrimary || event.button !== 0) return;
    moved(event);
    if (event.pointerType === 'touch') {
      finger = { x: event.clientX, y: event.clientY, as: 'undecided' };
      return;
    }
    takeFocus();
    canvas.setPointerCapture(event.pointerId);
    button(true, false);
    event.preventDefault();  // no selection of the page's text by dragging here
  });

  listen(canvas, 'pointermove', (event) => {
    if (!event.isPrimary) return;
    if (event.pointerType !== 'touch') {
      if (pressed && event.buttons === 0) release();  // it was let go where nobody told us
      return moved(event);
    }
    if (!finger) return;
    const dx = event.clientX - finger.x;
    const dy = event.clientY - finger.y;
    if (finger.as === 'undecided' && Math.hypot(dx, dy) > dragStart) {
      finger.as = Math.abs(dx) >= Math.abs(dy) ? 'drag' : 'scroll';
      if (finger.as === 'drag') {
        takeFocus();
        canvas.setPointerCapture(event.pointerId);
        button(true, true);
      }
    }
    if (finger.as === 'drag') moved(event);
    if (finger.as === 'scroll' && takesWheel()) {
      core._vramfit_wheel(0, (event.clientY - (finger.lastY ?? finger.y)) / 40);
      finger.lastY = event.clientY;
      schedule();
    }
  });

  listen(canvas, 'pointerup', (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    if (event.pointerType !== 'touch') {
      if (pressed) button(false, false);
      return;
    }
    if (finger?.as === 'undecided') {
      takeFocus();
      button(true, true);
      button(false, true);
      settle();
    } else if (finger?.as === 'drag') {
      button(false, true);
      settle();
    }
    finger = null;
    left();
  });

  // Lets go above everything, where nothing is pressed by it and a drag to the side stays where it is.
  function release() {
    core._vramfit_pointer_moved(lastX, -1e5, false);
    button(false, false);
  }
  function giveUp() {
    finger = null;
    if (pressed) release();
    left();
  }
  // The browser took the gesture for itself.
  listen(canvas, 'pointercancel', (event) => event.isPrimary && giveUp());
  listen(canvas, 'pointerleave', (event) => {
    if (event.pointerType !== 'touch' && !pressed) left();
  });

  listen(canvas, 'wheel', (event) => {
    if (event.ctrlKey || !takesWheel()) return;
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 3 : 100;
    core._vramfit_wheel(-event.deltaX / unit, -event.deltaY / unit);
    schedule();
    event.preventDefault();
  }, { passive: false });

  // --- keyboard ---

  const editing = () => canvas.getRootNode().activeElement === typing;
  // Keys that are the page's own as long as nothing is typed here.
  const onlyTyping = new Set(['Home', 'End', 'Backspace', 'Delete', 'a', 'c', 'x', 'y', 'z']);
  const withCommand = new Set(['a', 'c', 'x', 'y', 'z']);
  const down = new Set();

  function key(event, isDown) {
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const command = event.ctrlKey || event.metaKey;
    if (event.isComposing || event.altKey) return;
    if (['Shift', 'Control', 'Meta'].includes(name)) return void send('key', name, isDown, event.shiftKey, command);
    if (command !== withCommand.has(name) && !(command && editing() && name.startsWith('Arrow'))) return;
    if (onlyTyping.has(name) && !editing()) return;
    if (name === ' ' && editing()) return;
    // Where nothing is open, Escape belongs to the page.
    if (name === 'Escape' && !editing() && !takesWheel()) return;
    if (!isDown && !down.has(name)) return;
    if (!send('key', name, isDown, event.shiftKey, command)) return;
    if (isDown) down.add(name);
    else down.delete(name);
    event.preventDefault();
  }
  for (const target of [canvas, typing]) {
    listen(target, 'keydown', (event) => key(event, true));
    listen(target, 'keyup', (event) => key(event, false));
  }

  // While the field for typing has the keyboard, Shift+Tab leaves the canvas instead of going back to it.
  listen(typing, 'focus', () => { canvas.tabIndex = -1; });
  listen(typing, 'blur', () => { canvas.tabIndex = 0; });

  listen(typing, 'beforeinput', (event) => {
    if (event.isComposing) return;
    if (event.inputType.startsWith('delete')) {
      // Keyboards on screens send no key for it.
      send('key', event.inputType === 'deleteContentForward' ? 'Delete' : 'Backspace', true, false, false);
      send('key', event.inputType === 'deleteContentForward' ? 'Delete' : 'Backspace', false, false, false);
    } else if (event.data) {
      send('text', event.data);
    }
    event.preventDefault();
  });
  listen(typing, 'compositionend', (event) => {
    if (event.data) send('text', event.data);
    typing.value = '';
  });
  listen(typing, 'paste', (event) => {
    send('text', event.clipboardData.getData('text/plain').replace(/[\r\n]+/g, ' '));
    event.preventDefault();
  });

  listen(canvas, 'focus', (event) => {
    if (event.relatedTarget === typing) return;
    canvas.classList.toggle('by-keyboard', !pointerFocus);
    core._vramfit_focus(true, !pointerFocus);
    schedule();
  });
  function blurred(event) {
    if (event.relatedTarget === typing || event.relatedTarget === canvas) return;
    for (const name of down) send('key', name, false, false, false);
    down.clear();
    core._vramfit_focus(false, false);
    schedule();
  }
  listen(canvas, 'blur', blurred);
  listen(typing, 'blur', blurred);
}
