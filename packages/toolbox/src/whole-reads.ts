import { Socket } from 'node:net'

/** Returns the length in bytes of the message that begins at `start`; `undefined` while too few bytes have arrived to know. */
export type LengthOf = (bytes: Buffer, start: number) => number | undefined

const readAtOnce = 262_144
// Above this length a message is passed on as it arrives. So is everything after this many bytes whose length is still unknown.
const maxMessageBytes = 64_000_000
const maxHeadBytes = 65_536

// Each read is copied before the next one, so one buffer serves all sockets of the thread.
let reads: Buffer | undefined

/**
 * Creates an unconnected socket whose `data` events are complete messages: a long one arrives in a single buffer of
 * its own. A standard socket emits a new buffer for each 64 kB, which the reader has to join. Several short messages
 * may arrive together. `lengthOf` returns the number of bytes of a message, or `undefined` while that is unknown.
 */
export function messageSocket(lengthOf: LengthOf): Socket {
  const take = gatherMessages(lengthOf, (bytes) => void (socket.destroyed || socket.emit('data', bytes)))
  const socket = new Socket({
    onread: {
      buffer: (reads ??= Buffer.allocUnsafeSlow(readAtOnce)),
      callback: (length, buffer) => {
        take(Buffer.from(buffer.buffer, buffer.byteOffset, length))
        return true
      },
    },
  })
  return socket
}

/**
 * Gathers reads into messages. The caller may reuse a read afterwards; a message that was passed on is not changed again. A
 * message of more than 64 MB, or of unknown length, is passed on in parts.
 */
export function gatherMessages(lengthOf: LengthOf, give: (bytes: Buffer) => void): (read: Buffer) => void {
  let beginning = Buffer.alloc(0)
  let message: Buffer | undefined
  let filled = 0
  let passing = 0

  const hold = (bytes: Buffer, length: number | undefined): void => {
    if (length === undefined && bytes.length <= maxHeadBytes) beginning = Buffer.from(bytes)
    else if (length !== undefined && length <= maxMessageBytes) {
      message = Buffer.allocUnsafeSlow(length)
      filled = bytes.copy(message)
    } else {
      passing = length === undefined ? Infinity : length - bytes.length
      give(Buffer.from(bytes))
    }
  }
  const goOn = (read: Buffer): number => {
    if (passing > 0) {
      const passed = Math.min(passing, read.length)
      passing -= passed
      give(Buffer.from(read.subarray(0, passed)))
      return passed
    }
    if (!message) return 0
    const more = read.copy(message, filled)
    filled += more
    if (filled < message.length) return more
    const complete = message
    message = undefined
    give(complete)
    return more
  }
  return (read) => {
    const start = goOn(read)
    const bytes = beginning.length > 0 ? Buffer.concat([beginning, read]) : read
    beginning = beginning.subarray(0, 0)
    let end = start
    let length: number | undefined
    while (end < bytes.length) {
      length = lengthOf(bytes, end)
      if (length === undefined || end + length > bytes.length) break
      end += length
    }
    if (end > start) give(Buffer.from(bytes.subarray(start, end)))
    if (end < bytes.length) hold(bytes.subarray(end), length)
  }
}
