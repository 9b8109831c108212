// The only importer of ws: what a client in the jail says to the browser comes as the bytes of a WebSocket.
import http from 'node:http'
import { Duplex } from 'node:stream'

import type { Wire } from '@harvestman/core/ports'
import { WebSocketServer, type WebSocket } from 'ws'

import { frame, frameKinds } from './frames.ts'

/** Answers the connections that are opened inside a jail. */
export interface Doors {
  open(id: number): void
  data(id: number, bytes: Buffer): void
  close(id: number): void
  end(): void
}

const mostDoors = 8
const largestMessage = 64 * 1024 * 1024

export function makeDoors(connect: () => Promise<Wire>, send: (bytes: Buffer) => void): Doors {
  const streams = new Map<number, Duplex>()
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: largestMessage })
  const server = http.createServer((_request, response) => response.writeHead(404).end())
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (opened) => void join(opened, connect))
  })
  return {
    open: (id) => {
      if (streams.size >= mostDoors) return send(frame(frameKinds.close, id))
      const stream = streamOf(id, send)
      streams.set(id, stream)
      stream.once('close', () => streams.delete(id) && send(frame(frameKinds.close, id)))
      stream.on('error', () => undefined)
      server.emit('connection', stream)
    },
    data: (id, bytes) => streams.get(id)?.push(bytes),
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

function streamOf(id: number, send: (bytes: Buffer) => void): Duplex {
  return new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      send(frame(frameKinds.data, id, chunk))
      done()
    },
  })
}

async function join(socket: WebSocket, connect: () => Promise<Wire>): Promise<void> {
  const early: string[] = []
  let wire: Wire | undefined
  socket.on('error', () => undefined)
  socket.on('message', (data: Buffer) => {
    const text = data.toString('utf8')
    if (wire) wire.send(text)
    else early.push(text)
  })
  socket.on('close', () => wire?.close())
  try {
    wire = await connect()
  } catch {
    return socket.close(1011, 'The browser cannot be reached.')
  }
  if (socket.readyState !== socket.OPEN) return wire.close()
  wire.onMessage = (message) => socket.send(message)
  wire.onClose = () => socket.close(1011, 'The browser is gone.')
  for (const text of early) wire.send(text)
}
