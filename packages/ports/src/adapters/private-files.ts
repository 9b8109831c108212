import { chmodSync, mkdirSync, statSync } from 'node:fs'

/** Modes of what only its owner may read: stores, uploads, records, keys. */
export const privateFile = 0o600
export const privateFolder = 0o700

/** Makes a folder, and those above it that are missing, which only their owner may open. Existing folders are unchanged. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: privateFolder })
}

/**
 * Takes the rights of others from a SQLite file and its log. Call it when the file is open and nothing is written: SQLite
 * creates the file readable for all, and its log with the mode of the file.
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
