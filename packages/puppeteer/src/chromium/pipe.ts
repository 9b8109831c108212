import type { ChildProcess } from 'node:child_process'
import { Readable, Writable } from 'node:stream'

import type { Transport } from '../lib/cdp.ts'
import { readPipe } from './read-pipe.ts'

/** Messages over the third and fourth file of a child, each ended by a zero byte. */
export function pipeTransport(child: ChildProcess): Transport {
  const [, , , toBrowser, fromBrowser] = child.stdio
  if (!(toBrowser instanceof Writable) || !(fromBrowser instanceof Readable))
    throw new TypeError('The browser was started without its pipes.')
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
  fromBrowser.on(
    'data',
    readPipe((message) => transport.onmessage?.(message)),
  )
  // A browser that was killed breaks its pipes; that it ended is told elsewhere.
  toBrowser.on('error', () => undefined)
  fromBrowser.on('error', () => undefined)
  fromBrowser.once('close', () => transport.onclose?.())
  return transport
}
