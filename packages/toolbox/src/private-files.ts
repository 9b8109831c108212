import { chmodSync, statSync } from 'node:fs'

import { makeFolder } from './make-folder.ts'

/** Modes of files and folders that only their owner may read: stores, uploads, records, keys. */
export const privateFile = 0o600
const privateFolder = 0o700

/**
 * Creates a folder and its missing parents, readable only by their owner. Existing folders are unchanged. Throws if it
 * cannot be created.
 */
export function makePrivateFolder(folder: string): void {
  makeFolder(folder, privateFolder)
}

/**
 * Removes the permissions of other users from a SQLite file and its log. Call it when the file is open and nothing is
 * written yet: SQLite creates the file readable for all, and its log with the mode of the file. Does nothing for
 * `:memory:`.
 */
export function restrictSqlite(file: string): void {
  if (file === ':memory:') return
  for (const part of ['', '-wal', '-shm']) restrict(file + part)
}

function restrict(file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode
  if (mode === undefined || (mode & 0o077) === 0) return
  try {
    chmodSync(file, privateFile)
  } catch {
    // It belongs to another user, who decides who may read it.
  }
}
