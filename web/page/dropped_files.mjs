// Files that are dropped or picked, those in folders with their paths.

// A picked folder's files know where they lay in it.
export const entryOf = (file) => ({ path: file.webkitRelativePath || file.name, size: file.size, file });

// More than a model's folder holds: somebody dropped a disk.
const mostFiles = 20000;

async function readFolder(folder, files) {
  const reader = folder.createReader();
  for (;;) {
    // A part of them each time, until none come.
    const entries = await new Promise((done, failed) => { reader.readEntries(done, failed); });
    if (entries.length === 0) return;
    for (const entry of entries) {
      if (files.length >= mostFiles) return;
      if (entry.isDirectory) await readFolder(entry, files);
      else files.push(await new Promise((done, failed) => { entry.file((file) => done({ path: entry.fullPath.replace(/^\//, ''), size: file.size, file }), failed); }));
    }
  }
}

async function dropped(data) {
  // Entries are there only while the drop is told of.
  const entries = [...data.items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry?.());
  const files = [...data.files];
  if (!entries.some((entry) => entry?.isDirectory)) return files.map(entryOf);
  const found = [];
  for (const [i, entry] of entries.entries()) {
    if (entry?.isDirectory) await readFolder(entry, found);
    else if (files[i]) found.push(entryOf(files[i]));
  }
  return found;
}

// `take` is given what is dropped on `place`.
export function bindDrop(place, take) {
  for (const kind of ['dragover', 'dragenter']) {
    place.addEventListener(kind, (event) => {
      if (![...(event.dataTransfer?.types ?? [])].includes('Files')) return;
      event.preventDefault();
      place.dataset.over = '';
    });
  }
  place.addEventListener('dragleave', (event) => { if (!place.contains(event.relatedTarget)) delete place.dataset.over; });
  place.addEventListener('drop', async (event) => {
    delete place.dataset.over;
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    take(await dropped(event.dataTransfer));
  });
}
