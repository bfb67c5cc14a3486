// The importing module is as fast as it has to be, against JavaScript in the same run.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { importTimes } from '../bench/import.mjs';
import { assets } from './support.mjs';

test('an index takes at most 1.5 times JSON.parse, a GGUF header a tenth of @huggingface/gguf', async (t) => {
  const times = await importTimes(assets);
  t.diagnostic(JSON.stringify(times));
  assert.ok(times.index_bytes > 9e6);
  assert.ok(times.index_import_ms <= 1.5 * times.index_json_parse_ms, `${times.index_import_ms} ms against ${times.index_json_parse_ms}`);
  assert.ok(times.gguf_import_ms * 10 <= times.gguf_huggingface_ms, `${times.gguf_import_ms} ms against ${times.gguf_huggingface_ms}`);
});
