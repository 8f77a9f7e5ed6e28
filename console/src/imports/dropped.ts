import { isTable } from './files.ts';

/** Returns the files of a drop, also those in folders; of folders, those that are tables. */
export async function listFiles(drop: DataTransfer): Promise<File[]> {
  const entries = [...drop.items].map(item => item.webkitGetAsEntry()).filter(entry => entry !== null);
  // A drop without entries, as some programs make it, has its files only.
  if (entries.length === 0) return [...drop.files];
  const files = await Promise.all(
    entries.map(async entry => (entry.isFile ? [await readFile(entry)] : (await readFolder(entry)).filter(isTable))),
  );
  return files.flat();
}

function readFile(entry: FileSystemEntry): Promise<File> {
  const { promise, resolve, reject } = Promise.withResolvers<File>();
  (entry as FileSystemFileEntry).file(resolve, reject);
  return promise;
}

async function readFolder(folder: FileSystemEntry): Promise<File[]> {
  const reader = (folder as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  for (let entries = await readEntries(reader); entries.length > 0; entries = await readEntries(reader)) {
    for (const entry of entries) files.push(...(entry.isFile ? [await readFile(entry)] : await readFolder(entry)));
  }
  return files;
}

/** A reader gives up to 100 entries at a time, and none at the end. */
function readEntries(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const { promise, resolve, reject } = Promise.withResolvers<FileSystemEntry[]>();
  reader.readEntries(resolve, reject);
  return promise;
}
