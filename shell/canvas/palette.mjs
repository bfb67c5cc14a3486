// The colours that the page's CSS gives to custom properties, as red, green, blue and opacity. Whatever notation they are in, the
// browser resolves it.
export function readPalette(probe, names) {
  const pixel = document.createElement('canvas');
  pixel.width = 1;
  pixel.height = 1;
  const context = pixel.getContext('2d', { willReadFrequently: true });
  const out = new Uint8Array(names.length * 4);
  const page = getComputedStyle(probe);
  const backdrop = page.getPropertyValue('--surface').trim() || (matchMedia('(prefers-color-scheme: dark)').matches ? '#15181a' : '#fff');
  names.forEach((name, i) => {
    probe.style.color = `var(--${name}, ${name === 'surface' ? backdrop : 'currentColor'})`;
    for (const color of [backdrop, getComputedStyle(probe).color]) {
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
    }
    out.set(context.getImageData(0, 0, 1, 1).data, i * 4);
    out[i * 4 + 3] = 255;
  });
  return out;
}
