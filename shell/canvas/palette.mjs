// The colours that the page's CSS gives to custom properties, as red, green, blue and opacity. Whatever notation they are in, the
// browser resolves it. A colour that the page does not give has no opacity; surface and ink are then what the canvas lies on.

// Where the reader has the system's colours forced on all pages; the compartments keep theirs.
const forced = {
  surface: 'Canvas', raised: 'Canvas', ink: 'CanvasText', quiet: 'CanvasText', rule: 'GrayText', edge: 'CanvasText', accent: 'Highlight',
  'on-accent': 'HighlightText', warn: 'CanvasText', bad: 'CanvasText',
};

function backgroundOf(node) {
  for (; node; node = node.assignedSlot ?? node.parentElement ?? node.getRootNode().host) {
    const color = getComputedStyle(node).backgroundColor;
    if (!/^(transparent|rgba\(.*, 0\))$/.test(color)) return color;
  }
  return 'Canvas';
}

// `probe` is an element in the canvas's shadow root.
export function readPalette(probe, names) {
  const pixel = document.createElement('canvas');
  pixel.width = 1;
  pixel.height = 1;
  const context = pixel.getContext('2d', { willReadFrequently: true });
  const style = getComputedStyle(probe);
  const resolved = (color) => {
    probe.style.color = color;
    return style.color;
  };
  const system = matchMedia('(forced-colors: active)').matches ? forced : {};
  const meant = (name) => {
    if (system[name]) return system[name];
    if (style.getPropertyValue(`--${name}`).trim()) return `var(--${name})`;
    return { surface: backgroundOf(probe.getRootNode().host), ink: 'inherit' }[name];
  };
  const backdrop = resolved(meant('surface'));
  const out = new Uint8Array(names.length * 4);
  names.forEach((name, i) => {
    const color = meant(name);
    if (!color) return;
    for (const layer of [backdrop, resolved(color)]) {
      context.fillStyle = layer;
      context.fillRect(0, 0, 1, 1);
    }
    out.set(context.getImageData(0, 0, 1, 1).data, i * 4);
    out[i * 4 + 3] = 255;
  });
  return out;
}
