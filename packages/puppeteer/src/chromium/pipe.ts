import type { ChildProcess } from 'node:child_process'
import { Readable, Writable } from 'node:stream'

import type { Transport } from '../cdp.ts'

/** Messages over the third and fourth file of a child, each ended by a zero byte. */
export function pipeTransport(child: ChildProcess): Transport {
  const [, , , toBrowser, fromBrowser] = child.stdio
  if (!(toBrowser instanceof Writable) || !(fromBrowser instanceof Readable))
    throw new TypeError('The browser was started without its pipes.')
  let parts: Buffer[] = []
  let unsent = ''
  const flush = (): void => {
    if (toBrowser.writable) toBrowser.write(Buffer.from(unsent, 'utf8'))
    unsent = ''
  }
  const transport: Transport = {
    // Each write wakes the browser up, which costs both sides more than the message does: those of a moment go together.
    send: (message) => {
      if (unsent === '') setImmediate(flush)
      unsent += `${message}\0`
    },
    close: () => {
      toBrowser.destroy()
      fromBrowser.destroy()
    },
  }
  fromBrowser.on('data', (chunk: Buffer) => {
    let start = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      parts.push(chunk.subarray(start, end))
      const message = (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString('utf8')
      parts = []
      start = end + 1
      transport.onmessage?.(message)
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  })
  // A browser that was killed breaks its pipes; that it ended is told elsewhere.
  toBrowser.on('error', () => undefined)
  fromBrowser.on('error', () => undefined)
  fromBrowser.once('close', () => transport.onclose?.())
  return transport
}
