import { errorMessage } from '@harvestman/toolbox/error-message'
import { makeSequence } from '@harvestman/toolbox/sequence'
import type { Appender } from '../warc/appender.ts'
import { packMember } from '../warc/members.ts'
import { notesRecord } from '../warc/notes-record.ts'
import type { Segment, Archive } from './archive.ts'

/** Writes to an archive and reports when everything is stored. */
export interface ArchiveAppender extends Omit<Appender, 'close'> {
  /** Resolves when everything added so far is stored. Never rejects. */
  flush(): Promise<void>
}

export interface ArchiveAppenderOptions {
  readonly archive: Archive
  readonly to: Segment
  /** Maximum number of bytes of the whole record. */
  readonly most: number
  /** Called once, with the reason, when nothing more is stored. */
  readonly lost: (sentence: string) => void
}

const partBytes = 1_000_000
// With more than this in memory, the next exchange waits for the store.
const maxWaitingBytes = 16_000_000

/**
 * Creates an appender that writes a segment of a record to the store in parts of about a megabyte. If the record is
 * full or the store fails, `lost` is called with the reason, once, and further bytes are dropped.
 */
export function archiveAppender({ archive, to, most, lost }: ArchiveAppenderOptions): ArchiveAppender {
  let [size, waitingBytes, parts, isOver] = [0, 0, 0, false]
  let waiting: Uint8Array[] = []
  const writes = makeSequence()
  const end = (sentence: string): void => {
    if (!isOver) lost(sentence)
    isOver = true
  }
  const write = async (pieces: readonly Uint8Array[]): Promise<void> => {
    try {
      const bytes = await archive.add(to, parts, pieces)
      parts += pieces.length
      if (bytes >= most) end('it is full. Raise the limits of records().')
    } catch (error) {
      end(errorMessage(error))
    }
  }
  const flush = (): Promise<void> => {
    if (waiting.length === 0) return writes.idle()
    const bytes = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    const pieces = Array.from({ length: Math.ceil(bytes.length / partBytes) }, (_, at) =>
      bytes.subarray(at * partBytes, (at + 1) * partBytes),
    )
    return writes.run(() => (isOver ? undefined : write(pieces)))
  }
  return {
    get size() {
      return size
    },
    add: (bytes) => {
      const at = size
      size += bytes.length
      if (isOver) return at
      waiting.push(bytes)
      waitingBytes += bytes.length
      if (waitingBytes >= partBytes) void flush()
      return at
    },
    room: () => (waitingBytes > maxWaitingBytes ? writes.idle() : undefined),
    flush,
  }
}

const maxLineBytes = 100_000

/**
 * Creates an appender that buffers lines of notes and writes them to the segment `to` in records of about 100,000 bytes;
 * `flush` and `close` write the rest. `now` returns the time of a record, in milliseconds since 1970.
 */
export function notesAppender(to: Pick<Appender, 'add'>, now: () => number): Appender & { flush(): void } {
  let [size, waitingBytes] = [0, 0]
  let waiting: Uint8Array[] = []
  const flush = (): void => {
    if (waiting.length === 0) return
    to.add(packMember(notesRecord(Buffer.concat(waiting), now()), 1))
    waiting = []
    waitingBytes = 0
  }
  return {
    get size() {
      return size
    },
    add: (bytes) => {
      const at = size
      size += bytes.length
      waiting.push(bytes)
      waitingBytes += bytes.length
      if (waitingBytes >= maxLineBytes) flush()
      return at
    },
    room: () => undefined,
    close: async () => flush(),
    flush,
  }
}
