import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

import { EngineError } from '@harvestman/ports'
import { nodeHttp } from '@harvestman/toolbox/node-http'

/**
 * A local proxy that connects to nothing. It hands over connections that were opened before, through the address guard, each
 * once and only to the client that has its secret.
 */
export interface Handover {
  /**
   * Offers a connection. Returns the proxy URL with its secret. The connection is withdrawn when it closes, and closed if its
   * client disconnects. Closes it and throws `closed` after `close`: the port may belong to another process then.
   */
  offer(connection: Socket): string
  close(): void
}

const maxHeadBytes = 16_384
const headTimeout = 10_000
const noPort = 'No local port could be opened for impit. Raise the limit of open files, or try again later.'

/**
 * Starts the proxy on a free port of localhost. It does not keep the process alive. Rejects with `connection_failed` if no port
 * can be opened.
 */
export async function openHandover(): Promise<Handover> {
  const offered = new Map<string, Socket>()
  const clients = new Set<Socket>()
  const server = nodeHttp().createServer({ maxHeaderSize: maxHeadBytes, headersTimeout: headTimeout })
  server.on('connection', (socket: Socket) => {
    clients.add(socket)
    socket.on('error', () => undefined).once('close', () => clients.delete(socket))
  })
  server.on('request', (_request, response) => void response.writeHead(407, { connection: 'close' }).end())
  server.on('connect', ({ headers }: IncomingMessage, client: Socket, head: Buffer) => {
    const secret = secretIn(headers['proxy-authorization'])
    const connection = offered.get(secret)
    if (!connection) return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n')
    offered.delete(secret)
    join(client, connection, head)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(new EngineError('connection_failed', noPort, { cause })))
    server.listen(0, '127.0.0.1', resolve)
  })
  server.unref()
  const { port } = server.address() as AddressInfo
  return {
    offer: (connection) => {
      if (!server.listening) {
        connection.destroy()
        throw new EngineError('closed', 'The engine was closed. Create a new one.')
      }
      const secret = randomBytes(32).toString('base64url')
      offered.set(secret, connection)
      // The listener for errors stays: an unhandled error of a socket would end the process.
      connection.on('error', () => undefined).once('close', () => offered.delete(secret))
      return `http://harvestman:${secret}@127.0.0.1:${port}`
    },
    close: () => {
      for (const socket of [...offered.values(), ...clients]) socket.destroy()
      server.close()
    },
  }
}

function secretIn(authorization: string | undefined): string {
  const [, encoded = ''] = /^Basic (.+)$/i.exec(authorization ?? '') ?? []
  return Buffer.from(encoded, 'base64')
    .toString('latin1')
    .replace(/^harvestman:/, '')
}

function join(client: Socket, connection: Socket, head: Buffer): void {
  client.setNoDelay(true)
  client.write('HTTP/1.1 200 OK\r\n\r\n')
  if (head.length > 0) connection.write(head)
  client.pipe(connection)
  connection.pipe(client)
  client.once('close', () => connection.destroy())
  connection.once('close', () => client.destroy())
}
