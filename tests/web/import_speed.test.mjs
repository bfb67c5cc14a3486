// The importing module has not become slow. The bars (an index in 1.5 times JSON.parse, a GGUF header in a tenth of @huggingface/gguf)
// belong to `./dev bench`, on a machine that does nothing else. Here, beside other tests, only what no busy machine explains fails: a
// check that looks at everything before it anew. (Of a machine with ten times the work it could do: 3.3 times JSON.parse, else 0.8.)
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { importTimes } from '../bench/import.mjs';
import { assets } from './support.mjs';

test('an index takes less than six times JSON.parse; a GGUF header is read ten times as fast as by @huggingface/gguf', async (t) => {
  const times = await importTimes(assets, 5);
  t.diagnostic(JSON.stringify(times));
  assert.ok(times.index_bytes > 9e6);
  assert.ok(times.index_import_ms < 6 * times.index_json_parse_ms, `${times.index_import_ms} ms against ${times.index_json_parse_ms}`);
  assert.ok(times.gguf_import_ms * 10 < times.gguf_huggingface_ms, `${times.gguf_import_ms} ms against ${times.gguf_huggingface_ms}`);
});
