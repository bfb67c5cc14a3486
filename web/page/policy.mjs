import { hubHosts } from '../import/hub_address.mjs';

// What a page may do, said by the server and again in the page itself: its own scripts, styles and data, and nothing of anybody else's.
// The calculator, the element and the frame work under it: it is what a host of theirs may send.
export const contentSecurityPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "font-src 'self'; base-uri 'none'; form-action 'none'";

// The site's own pages can be installed, by a manifest that hosts of embeds need not allow. Its worker is a script like the others.
export const sitePolicy = `${contentSecurityPolicy}; manifest-src 'self'`;

// The calculator's own pages may ask the model hub, which readers have them do by a button. Nothing else of the site may: not its
// documentation, the canvas, the element, the frame or the page as one file.
export const calculatorPolicy = sitePolicy.replace("connect-src 'self'", ["connect-src 'self'", ...hubHosts].join(' '));

// What a page needs beside it to have frames of the same origin, as the example articles have.
export const frameHostPolicy = `${contentSecurityPolicy}; frame-src 'self'`;
