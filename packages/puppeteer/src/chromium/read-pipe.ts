import { StringDecoder } from 'node:string_decoder'

import { insteadOf } from '../fence/heard.ts'

/**
 * Maximum number of characters of a message from the browser. Far more than a page may hold; limits the memory of one message.
 */
export const maxCharacters = 128 * 1_048_576

// Number of characters at both ends of a message that are enough to identify its recipient.
const ends = 200

/**
 * Returns a parser for messages that are terminated by NUL bytes. Decodes chunks as they arrive, so that a large message does not
 * block others at its end. A message of more than `limit` characters is replaced by an error message for its recipient, which is
 * found in its first and last characters; without a recipient it is dropped.
 */
export function readPipe(take: (message: string) => void, limit = maxCharacters): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let text = ''
  let start: string | undefined
  let isWithin = false

  const add = (piece: string): void => {
    isWithin = true
    text += piece
    if (start === undefined && text.length <= limit) return
    start ??= copy(text.slice(0, ends))
    text = copy(text.slice(-ends))
  }
  const end = (): void => {
    const message = start === undefined ? text : insteadOf(start, text, limit)
    text = ''
    start = undefined
    isWithin = false
    if (message !== undefined) take(message)
  }
  return (chunk) => {
    let from = 0
    for (let to = chunk.indexOf(0); to >= 0; to = chunk.indexOf(0, from)) {
      // Most messages arrive in one chunk.
      if (!isWithin && to - from <= limit) take(chunk.toString('utf8', from, to))
      else {
        add(decoder.write(chunk.subarray(from, to)) + decoder.end())
        end()
      }
      from = to + 1
    }
    if (from < chunk.length) add(decoder.write(chunk.subarray(from)))
  }
}

/** Copies a substring, which would otherwise keep the whole string in memory. */
function copy(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}
