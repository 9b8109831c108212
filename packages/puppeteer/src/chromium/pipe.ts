import type { ChildProcess } from 'node:child_process'
import { Readable, Writable } from 'node:stream'

import type { Transport } from '../lib/cdp.ts'
import { readPipe } from './read-pipe.ts'

/**
 * Sends and receives messages on file descriptors 3 and 4 of the browser, each terminated by a NUL byte. Throws a `TypeError`
 * if the process has no such pipes.
 */
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
    // Each write wakes up the browser, which costs more than the message, so messages of the same tick are sent together.
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
  // When a browser is killed, its pipes fail. Its end is reported by the exit event.
  toBrowser.on('error', () => undefined)
  fromBrowser.on('error', () => undefined)
  fromBrowser.once('close', () => transport.onclose?.())
  return transport
}
