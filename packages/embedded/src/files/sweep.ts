import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

// Names of our files. Other files in the folder are left alone.
const own =
  /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(?:json|png|jpg|webp|pdf|bin|lasting)((?:\.[\da-f]{8})?\.part)?$/
// Milliseconds, longer than any file takes to be written.
const draftsLast = 3_600_000

/** Extension of files that must not be removed early. */
export const lastingEnding = 'lasting'

/** Bytes that remain after a sweep. */
export interface Left {
  readonly size: number
  /** Bytes of files that must not be removed early. */
  readonly lasting: number
}

interface FileEntry {
  readonly id: string
  readonly path: string
  readonly size: number
  readonly until: number
}

/**
 * Removes expired files and, if the rest exceeds `most` bytes, the files that expire first. Lasting files are removed only
 * when they expire. Returns the sizes that are left, in bytes. `now` is in milliseconds since 1970. Rejects with the error of
 * the file system.
 */
export async function sweep(folder: string, now: number, most: number): Promise<Left> {
  const files = await list(folder)
  const expired = new Set(files.filter(({ until }) => until <= now).map(({ id }) => id))
  let size = files.reduce((sum, file) => sum + (expired.has(file.id) ? 0 : file.size), 0)
  const lasting = files.filter(({ id, path }) => path.endsWith(`.${lastingEnding}`) && !expired.has(id))
  const stays = new Set(lasting.map(({ id }) => id))
  for (const { id } of files.toSorted((a, b) => a.until - b.until)) {
    if (size <= most) break
    if (expired.has(id) || stays.has(id)) continue
    expired.add(id)
    for (const file of files) if (file.id === id) size -= file.size
  }
  await Promise.all(files.filter(({ id }) => expired.has(id)).map(({ path }) => rm(path, { force: true })))
  return { size, lasting: lasting.reduce((sum, file) => sum + file.size, 0) }
}

async function list(folder: string): Promise<FileEntry[]> {
  const names = await readdir(folder)
  const found = await Promise.all(names.map((name) => look(folder, name)))
  return found.filter((file) => file !== undefined)
}

async function look(folder: string, name: string): Promise<FileEntry | undefined> {
  const [, id, draft] = own.exec(name) ?? []
  if (id === undefined) return undefined
  const path = join(folder, name)
  try {
    const { size, mtimeMs } = await stat(path)
    return { id, path, size, until: draft === undefined ? mtimeMs : mtimeMs + draftsLast }
  } catch {
    // Another process that shares the folder has removed it.
    return undefined
  }
}
