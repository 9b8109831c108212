import { makeSequence, errorMessage } from '@harvestman/ports/adapters'
import type { Appender } from '../warc/appender.ts'
import { packMember } from '../warc/members.ts'
import { notesRecord } from '../warc/notes-record.ts'
import type { Segment, Archive } from './archive.ts'

/** What is written to an archive, and when it is whole. */
export interface ArchiveAppender extends Omit<Appender, 'close'> {
  /** Resolves when all that was given is kept. Never rejects. */
  flush(): Promise<void>
}

export interface ArchiveAppenderOptions {
  readonly archive: Archive
  readonly to: Segment
  /** The most bytes of the whole record. */
  readonly most: number
  /** Told once, why nothing more is kept. */
  readonly lost: (sentence: string) => void
}

const partBytes = 1_000_000
// More than this in memory and the next exchange waits for the store.
const mostWaiting = 16_000_000

/** Writes a segment of a record, in parts of about a megabyte. */
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
    const whole = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    const pieces = Array.from({ length: Math.ceil(whole.length / partBytes) }, (_, at) =>
      whole.subarray(at * partBytes, (at + 1) * partBytes),
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
    room: () => (waitingBytes > mostWaiting ? writes.idle() : undefined),
    flush,
  }
}

const mostLines = 100_000

/** Writes lines of notes into the same segment. */
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
      if (waitingBytes >= mostLines) flush()
      return at
    },
    room: () => undefined,
    close: async () => flush(),
    flush,
  }
}
