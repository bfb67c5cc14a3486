// A file of a model by its path, for importModel() in Node.
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';

export async function fileFromPath(path) {
  const { size } = await stat(path);
  const read = async (start, end) => {
    const handle = await open(path);
    try {
      const bytes = new Uint8Array(end - start);
      let have = 0;
      while (have < bytes.length) {
        const { bytesRead } = await handle.read(bytes, have, bytes.length - have, start + have);
        if (bytesRead === 0) break;
        have += bytesRead;
      }
      return bytes.subarray(0, have);
    } finally {
      await handle.close();
    }
  };
  return { name: basename(path), size, read };
}
