import { StringDecoder } from 'node:string_decoder'

import { insteadOf } from '../fence/heard.ts'

/** Characters of a message of the browser: far more than what a page may hold, and a bound on what one message can fill. */
export const mostCharacters = 128 * 1_048_576

// So much of both ends says whom a message is for.
const ends = 200

/**
 * Takes messages out of what comes through a pipe, each ended by a zero byte. They are decoded as they come, so that none
 * holds up others for long at its end. Of one that is too large only the ends are kept: who asked is told.
 */
export function readPipe(take: (message: string) => void, most = mostCharacters): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let text = ''
  let start: string | undefined
  let isWithin = false

  const add = (piece: string): void => {
    isWithin = true
    text += piece
    if (start === undefined && text.length <= most) return
    start ??= copy(text.slice(0, ends))
    text = copy(text.slice(-ends))
  }
  const end = (): void => {
    const message = start === undefined ? text : insteadOf(start, text, most)
    text = ''
    start = undefined
    isWithin = false
    if (message !== undefined) take(message)
  }
  return (chunk) => {
    let from = 0
    for (let to = chunk.indexOf(0); to >= 0; to = chunk.indexOf(0, from)) {
      // Most messages come in one piece.
      if (!isWithin && to - from <= most) take(chunk.toString('utf8', from, to))
      else {
        add(decoder.write(chunk.subarray(from, to)) + decoder.end())
        end()
      }
      from = to + 1
    }
    if (from < chunk.length) add(decoder.write(chunk.subarray(from)))
  }
}

/** A piece of a text keeps the whole in memory. */
function copy(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}
