import { open, type FileHandle } from 'node:fs/promises'

import { EngineError } from '@harvestman/ports'
import { privateFile } from '@harvestman/ports/adapters'

/** A file that is written from its end on, in the order in which pieces were given. */
export interface Appender {
  /** Bytes that were given. */
  readonly size: number
  /** Adds a piece, and gives where it begins. Nothing is waited for. */
  add(bytes: Uint8Array): number
  /** Resolves when little waits to be written; gives nothing when that is so now. Never rejects. */
  room(): Promise<void> | undefined
  /** Writes what waits, and closes the file. Rejects when a piece could not be written. */
  close(): Promise<void>
}

// More than this in memory and the next exchange waits for the disk.
const mostWaiting = 32_000_000

/** Opens a file to write it: anew, or behind what is in it. */
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
      // One write for all that comes in this turn.
      writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(write)
      return at
    },
    room: () => (waitingBytes > mostWaiting ? writing : undefined),
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
