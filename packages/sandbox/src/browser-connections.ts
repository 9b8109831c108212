// The only module that imports `ws`. Clients in the jail talk to the browser in the bytes of a WebSocket.
import type { IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'

import { guarded } from '@harvestman/toolbox/guarded'
import { maxMessageBytes } from '@harvestman/toolbox/inbox'
import { lateLibrary } from '@harvestman/toolbox/late-library'
import { nodeHttp } from '@harvestman/toolbox/node-http'
import { closeCodes, talkOver } from '@harvestman/toolbox/socket-talk'
import type { Wire } from '@harvestman/ports'
import type * as ws from 'ws'
import type { WebSocket } from 'ws'

import { frame, frameKinds } from './frames.ts'

const library = lateLibrary(import.meta.url, (require) => require('ws') as typeof ws)

/** Connections from inside a jail to the browser, by number. */
export interface BrowserConnections {
  open(id: number): void
  data(id: number, bytes: Buffer): void
  close(id: number): void
  end(): void
}

const maxStreams = 8
/** Maximum number of bytes that code has sent and the host has not read yet. */
const maxUnread = 4 * maxMessageBytes

export interface BrowserConnectionOptions {
  readonly connect: () => Promise<Wire>
  /** Sends bytes to the jail. Calls `sent` when they are written. */
  readonly send: (bytes: Buffer, sent?: () => void) => void
  /** Called with the error of a connection that failed and was closed. */
  readonly onFault: (fault: unknown) => void
}

/**
 * Creates the host's end of the connections that code in a jail opens to its browser, each a WebSocket. Bytes from the jail
 * arrive in `data`. Of more than 8 at a time, the new one is closed, and so is one with more than 32 MiB that the host has not
 * read yet. If the browser cannot be reached, the code gets status 502.
 */
export function makeBrowserConnections({ connect, send, onFault }: BrowserConnectionOptions): BrowserConnections {
  const streams = new Map<number, Duplex>()
  const sockets = new (library().WebSocketServer)({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
  })
  const server = nodeHttp().createServer((_request, response) => response.writeHead(404).end())
  const answer = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const wire = await reach(connect, socket)
    if (wire) sockets.handleUpgrade(request, socket, head, (opened) => join(opened, wire, onFault))
  }
  server.on('upgrade', (request, socket, head) =>
    guarded(answer, (fault) => {
      socket.destroy()
      onFault(fault)
    })(request, socket, head),
  )
  return {
    open: (id) => {
      if (streams.size >= maxStreams) return send(frame(frameKinds.close, id))
      const stream = streamOf(id, send)
      streams.set(id, stream)
      stream.once('close', () => streams.delete(id) && send(frame(frameKinds.close, id)))
      stream.on('error', () => undefined)
      server.emit('connection', stream)
    },
    data: (id, bytes) => {
      const stream = streams.get(id)
      if (stream && stream.readableLength > maxUnread) stream.destroy()
      else stream?.push(bytes)
    },
    close: (id) => {
      const stream = streams.get(id)
      streams.delete(id)
      stream?.push(null)
      stream?.destroy()
    },
    end: () => {
      for (const stream of streams.values()) stream.destroy()
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
    },
  }
}

function streamOf(id: number, send: BrowserConnectionOptions['send']): Duplex {
  return new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      send(frame(frameKinds.data, id, chunk), done)
    },
  })
}

const unreachable = 'HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/**
 * Connects to the browser before the client's handshake is answered: some clients miss the close of a WebSocket right after its
 * handshake, and wait until they time out.
 */
async function reach(connect: () => Promise<Wire>, socket: Duplex): Promise<Wire | undefined> {
  try {
    const wire = await connect()
    if (socket.destroyed) wire.close()
    else socket.once('close', () => wire.close())
    return socket.destroyed ? undefined : wire
  } catch {
    socket.end(unreachable)
    return undefined
  }
}

function join(socket: WebSocket, wire: Wire, onFault: (fault: unknown) => void): void {
  const { open, send, close } = talkOver(socket, { onFault, onClose: () => wire.close() })
  wire.onMessage = send
  wire.onClose = () => close(closeCodes.fault, 'The browser is gone.')
  open((message) => wire.send(message))
}
