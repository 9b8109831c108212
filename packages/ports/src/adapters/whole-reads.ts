import { Socket } from 'node:net'

/** Length in bytes of the message that begins at `start`; undefined while too little has come to tell. */
export type LengthOf = (bytes: Buffer, start: number) => number | undefined

const readAtOnce = 262_144
// A longer message is handed on as it comes, and so is all that follows a beginning this long that does not tell its length.
const longestMessage = 64_000_000
const longestBeginning = 65_536

// A read is copied before the next one, so that one buffer serves all sockets of the thread.
let reads: Buffer | undefined

/**
 * A socket that is not connected yet, whose `data` are whole messages: a long one comes in one buffer that is its own, where
 * a usual socket gives a new buffer for each 64 kB, which who reads it has to join. Several short ones may come together.
 */
export function wholeReads(lengthOf: LengthOf): Socket {
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

/** Gathers reads into messages. A read is the caller's again afterwards; a given message is not touched again. */
export function gatherMessages(lengthOf: LengthOf, give: (bytes: Buffer) => void): (read: Buffer) => void {
  let beginning = Buffer.alloc(0)
  let message: Buffer | undefined
  let filled = 0
  let passing = 0

  const hold = (bytes: Buffer, length: number | undefined): void => {
    if (length === undefined && bytes.length <= longestBeginning) beginning = Buffer.from(bytes)
    else if (length !== undefined && length <= longestMessage) {
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
    const whole = message
    message = undefined
    give(whole)
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
