import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import {
  type Blob,
  type Blobs,
  type Clock,
  EngineError,
  type KeptBlob,
  type NewBlob,
  systemClock,
} from '@harvestman/ports'
import { blobTooLarge, filesClosed } from './refusals.ts'
import { keepOrder, type Order } from './order.ts'
import { lastingEnding } from './sweep.ts'

/** Options of `fileBlobs`. */
export interface FileBlobsOptions {
  readonly clock?: Clock | undefined
  /**
   * Maximum size of all files in bytes. Beyond it, the files that expire first are removed; new files with `isLasting` are
   * rejected.
   */
  readonly bytes?: number | undefined
}

interface Head {
  readonly type: string
  readonly team: string
  readonly until: number
  /** The name of the file with the bytes. */
  readonly file: string
}

const defaultBytes = 2_000_000_000
// Random, or derived from the owner of the file.
const uuid = /^[\da-f]{8}-[\da-f]{4}-[48][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
}

/**
 * Creates a storage of files in a folder, which several processes may share: the bytes unchanged, with an extension for their
 * media type, and a small JSON file with the team and the expiry. Only the owner of the folder can read it. The total size is
 * limited to `bytes` (default 2 GB). `get` returns `undefined` for an unknown or expired file; calls reject with
 * `store_failed` if a file does not fit or cannot be written or read, and with `closed` after `close`.
 */
export function fileBlobs(folder: string, options: FileBlobsOptions = {}): Blobs {
  const { clock = systemClock, bytes: most = defaultBytes } = options
  const order = keepOrder(folder, clock, most)
  let isClosed = false
  return {
    lasts: 'machine',
    put: async (blob) => {
      if (isClosed) throw filesClosed()
      if (blob.bytes.byteLength > most) throw blobTooLarge(blob.bytes.byteLength, most)
      // Copied, because the caller may reuse the memory while the folder is created.
      const copy = Buffer.from(blob.bytes)
      try {
        await order.begin()
        const stored = await writeWithin(order, folder, { ...blob, bytes: copy }, clock.now() + blob.ttl)
        await order.grew(copy.byteLength)
        return stored
      } catch (cause) {
        if (EngineError.is(cause)) throw cause
        throw new EngineError('store_failed', 'A file could not be written. Check the folder for files.', {
          cause,
          details: { reason: (cause as { readonly code?: unknown }).code === 'ENOSPC' ? 'full' : 'not writable' },
        })
      }
    },
    get: async (id) => {
      if (isClosed) throw filesClosed()
      return uuid.test(id) ? read(folder, id, clock.now()) : undefined
    },
    close: async () => {
      isClosed = true
      await order.end()
    },
  }
}

/** Writes a file. A lasting one must fit next to the other lasting files. */
async function writeWithin(order: Order, folder: string, blob: NewBlob, until: number): Promise<KeptBlob> {
  const { isLasting = false, bytes } = blob
  if (!isLasting) return write(folder, blob, until)
  await order.reserve(bytes.byteLength)
  let isWritten = false
  try {
    const stored = await write(folder, blob, until)
    isWritten = true
    return stored
  } finally {
    order.settle(bytes.byteLength, isWritten)
  }
}

async function write(
  folder: string,
  { id = randomUUID(), bytes, type, team, isLasting = false }: NewBlob,
  until: number,
): Promise<KeptBlob> {
  const file = `${id}.${isLasting ? lastingEnding : (endings[type] ?? 'bin')}`
  const before = await readHead(folder, id)
  await publish(folder, file, bytes, until)
  // The head is written last: a file without one does not exist yet.
  await publish(folder, `${id}.json`, JSON.stringify({ type, team, until, file } satisfies Head), until)
  if (before && before.file !== file) await rm(join(folder, before.file), { force: true })
  return { id, url: pathToFileURL(join(folder, file)).href }
}

async function read(folder: string, id: string, now: number): Promise<Blob | undefined> {
  const head = await readHead(folder, id)
  if (!head) return undefined
  const { type, team, until, file } = head
  const bytes = now < until ? await readIfThere(join(folder, file)) : undefined
  return bytes && { bytes, type, team }
}

async function readHead(folder: string, id: string): Promise<Head | undefined> {
  const head = await readIfThere(join(folder, `${id}.json`))
  return head && (JSON.parse(head.toString()) as Head)
}

/** Writes to a temporary file and renames it, so that no reader sees a partial file. Its modification time is its expiry. */
async function publish(folder: string, name: string, content: Uint8Array | string, until: number): Promise<void> {
  const path = join(folder, name)
  // Unique, because two attempts of the same work may write the same file.
  const draft = `${path}.${randomUUID().slice(0, 8)}.part`
  try {
    await writeFile(draft, content, { mode: 0o600, flag: 'wx' })
    await utimes(draft, until / 1_000, until / 1_000)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new EngineError('store_failed', 'A file could not be read. Check the folder for files.', { cause })
  }
}
