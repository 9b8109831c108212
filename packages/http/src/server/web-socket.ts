// The only module that imports ws.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

import { guarded } from '@harvestman/toolbox/guarded'
import { lateLibrary } from '@harvestman/toolbox/late-library'
import { talkOver } from '@harvestman/toolbox/socket-talk'
import type * as ws from 'ws'
import type { WebSocket, WebSocketServer } from 'ws'

import { always, type Refusal } from '../answer/answer.ts'
import { statuses } from '../refusals/errors.ts'
import type { Message, Watching } from '../answer/watching.ts'
import { talkCodes, type Channel, type Talk } from '../answer/talk.ts'
import { absoluteUrlOf } from './absolute-url.ts'
import type { Handler } from './node-handler.ts'
import { refusalBody } from '../answer/refusal-body.ts'
import type { Watch } from '../api/sockets.ts'
import { takeUpgrades } from './upgrades.ts'

const library = lateLibrary(import.meta.url, (require) => require('ws') as typeof ws)

/** The WebSockets of a server. */
export interface Sockets {
  /** Closes all sockets, and disconnects clients that do not reply. */
  close(): void
}

// Maximum bytes of a message on streams, where clients have nothing to send.
const maxIncoming = 4_096
const heartbeat = 30_000
const goodbye = 2_000
const goingAway = 1001

/**
 * Opens WebSockets on a Node server for the requests that `watch` accepts. Its refusals are sent as responses, but those with
 * 404 are left to other upgrade listeners of the server, if there are any. Without `watch` it does nothing. Errors of a socket
 * are passed to `onFault`.
 */
export function attachWebSockets(
  server: Server,
  { watch, onFault = () => undefined }: Pick<Handler, 'watch' | 'onFault'>,
): Sockets {
  if (!watch) return { close: () => undefined }
  // The types do not have `closeTimeout`.
  const options = { noServer: true, perMessageDeflate: false, closeTimeout: goodbye }
  const bySize = new Map<number, WebSocketServer>()
  const socketsFor = (maxPayload: number): WebSocketServer => {
    const known = bySize.get(maxPayload) ?? new (library().WebSocketServer)({ ...options, maxPayload })
    bySize.set(maxPayload, known)
    return known
  }
  const answer = (incoming: IncomingMessage, socket: Duplex, head: Buffer): unknown => {
    const closed = new AbortController()
    const open = (watching: Watching | Talk | Refusal): void => {
      if ('status' in watching) {
        const isOurs = watching.status !== 404 || server.listenerCount('upgrade') === 1
        return isOurs ? refuse(socket, watching) : undefined
      }
      const size = 'begin' in watching ? watching.maxIncoming : maxIncoming
      socketsFor(size).handleUpgrade(incoming, socket, head, (opened) => {
        keepAlive(opened, closed)
        if ('begin' in watching) begin(opened, watching, onFault)
        else tellAll(opened, watching).catch((fault: unknown) => end(opened, fault))
      })
    }
    const end = (opened: WebSocket, fault: unknown): void => {
      opened.terminate()
      onFault(fault)
    }
    const watching = ask(incoming, closed.signal, watch)
    // Send immediate rejections before other upgrade listeners run.
    return watching instanceof Promise ? watching.then(open) : open(watching)
  }
  takeUpgrades(server, (incoming, socket, head) => {
    socket.on('error', () => undefined)
    guarded(answer, (fault) => {
      refuse(socket, broken)
      onFault(fault)
    })(incoming, socket, head)
  })
  return {
    close: () => {
      const open = [...bySize.values()].flatMap(({ clients }) => [...clients])
      for (const socket of open) socket.close(goingAway, '{"type":"error","error":"The server is closing."}')
    },
  }
}

function ask(incoming: IncomingMessage, signal: AbortSignal, watch: Watch): ReturnType<Watch> {
  try {
    const headers = new Headers()
    for (const [name, values] of Object.entries(incoming.headersDistinct)) {
      for (const value of values ?? []) headers.append(name, value)
    }
    return watch(new Request(absoluteUrlOf(incoming), { headers, signal }), { peer: incoming.socket.remoteAddress })
  } catch {
    return { ...statuses.invalid_request, error: 'The request is not valid HTTP.' }
  }
}

const broken: Refusal = { ...statuses.connection_failed, status: 500, error: 'An internal error occurred. Try again.' }

function refuse(socket: Duplex, refusal: Refusal): void {
  const headers = { ...always, ...refusal.headers, connection: 'close' }
  const text = JSON.stringify(refusalBody(refusal))
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(text) })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${refusal.status} Refused\r\n${head}\r\n${text}`)
}

/** Pings a socket and disconnects it if it does not reply. */
function keepAlive(socket: WebSocket, closed: AbortController): void {
  let isThere = true
  const timer = setInterval(() => {
    if (!isThere) return socket.terminate()
    isThere = false
    socket.ping()
  }, heartbeat)
  socket.on('pong', () => (isThere = true))
  socket.on('error', () => undefined)
  socket.on('close', () => {
    clearInterval(timer)
    closed.abort()
  })
}

/** Connects a two-way conversation to a socket. */
function begin(socket: WebSocket, talk: Talk, onFault: (fault: unknown) => void): void {
  const { open, ...spoken } = talkOver(socket, { onFault, onClose: () => channel.onClose?.() })
  const channel: Channel = { ...spoken, onClose: undefined }
  talk
    .begin(channel)
    .then(
      (take) => {
        open(take)
        if (socket.readyState !== socket.OPEN) channel.onClose?.()
      },
      () => channel.close(talkCodes.fault, 'The live browser cannot be reached.'),
    )
    .catch(onFault)
}

/** Sends all messages. The next one is produced after the previous one was sent, so a slow listener buffers only one. */
async function tellAll(socket: WebSocket, watching: Watching): Promise<void> {
  for (;;) {
    const { done, value } = await watching.next()
    if (done) return socket.close(value.code, value.reason)
    if (await wasSent(socket, value)) continue
    await watching.return({ code: goingAway, reason: '' })
    return
  }
}

function wasSent(socket: WebSocket, message: Message): Promise<boolean> {
  const pieces = typeof message === 'string' ? [message] : message
  return new Promise((resolve) => {
    for (const [index, piece] of pieces.entries()) {
      const fin = index === pieces.length - 1
      socket.send(piece, { binary: false, fin }, fin ? (error) => resolve(!error) : undefined)
    }
  })
}
