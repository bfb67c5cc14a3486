// The importing module is no slower than it was, by far. `./dev bench` holds the bars: 1.5 times JSON.parse, a tenth of
// @huggingface/gguf; here they are twice as wide, so that only what has really become slower fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { importTimes } from '../bench/import.mjs';
import { assets } from './support.mjs';

test('an index takes no multiple of JSON.parse, a GGUF header a fraction of @huggingface/gguf', async (t) => {
  const times = await importTimes(assets);
  t.diagnostic(JSON.stringify(times));
  assert.ok(times.index_bytes > 9e6);
  assert.ok(times.index_import_ms <= 3 * times.index_json_parse_ms, `${times.index_import_ms} ms against ${times.index_json_parse_ms}`);
  assert.ok(times.gguf_import_ms * 5 <= times.gguf_huggingface_ms, `${times.gguf_import_ms} ms against ${times.gguf_huggingface_ms}`);
});
