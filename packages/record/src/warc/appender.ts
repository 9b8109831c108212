import { open, type FileHandle } from 'node:fs/promises'

import { EngineError } from '@harvestman/ports'
import { privateFile } from '@harvestman/toolbox/private-files'

/** An append-only file that writes chunks in the order they are added. */
export interface Appender {
  /** Number of bytes, including those not written yet. */
  readonly size: number
  /** Adds a chunk and returns its offset, without waiting. */
  add(bytes: Uint8Array): number
  /** For backpressure: resolves when the buffer has drained. Returns `undefined` if there is space now. Never rejects. */
  room(): Promise<void> | undefined
  /** Writes the remaining chunks and closes the file. Rejects if any chunk could not be written. */
  close(): Promise<void>
}

// With more than this in memory, the next exchange waits for the disk.
const maxWaitingBytes = 32_000_000

/**
 * Opens a file to replace its contents or to append. Rejects with `store_failed` if it cannot be opened. Failed writes
 * are reported by `close`.
 */
export async function openAppender(path: string, isNew: boolean): Promise<Appender> {
  const file = await opened(path, isNew)
  let size = isNew ? 0 : (await file.stat()).size
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let writing: Promise<void> | undefined
  let fault: unknown

  const write = async (): Promise<void> => {
    while (waiting.length > 0 && fault === undefined) {
      const batch = Buffer.concat(waiting)
      waiting = []
      try {
        await file.appendFile(batch)
      } catch (error) {
        fault = error
      }
      waitingBytes -= batch.length
    }
    writing = undefined
  }

  return {
    get size() {
      return size
    },
    add: (bytes) => {
      const at = size
      size += bytes.length
      if (fault !== undefined) return at
      waiting.push(bytes)
      waitingBytes += bytes.length
      // One write for everything added in this tick.
      writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(write)
      return at
    },
    room: () => (waitingBytes > maxWaitingBytes ? writing : undefined),
    close: async () => {
      await writing
      await file.close()
      if (fault !== undefined) throw failed(path, fault)
    },
  }
}

async function opened(path: string, isNew: boolean): Promise<FileHandle> {
  try {
    return await open(path, isNew ? 'w' : 'a', privateFile)
  } catch (cause) {
    throw failed(path, cause)
  }
}

function failed(path: string, cause: unknown): EngineError {
  const sentence = `The record ${path} could not be written. Check that its folder is there, may be written to, and has room.`
  return new EngineError('store_failed', sentence, { cause })
}
