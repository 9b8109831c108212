// A line between a client and a server that can be cut and mended, and can hold what asks for a WebSocket.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Line {
  readonly url: string
  /** New WebSockets are kept waiting from now on. */
  hold(): void
  release(): void
  /** Everything that is open ends, and nothing new is taken. */
  cut(): void
  mend(): Promise<void>
  close(): Promise<void>
}

export async function makeLine(to: number): Promise<Line> {
  const open = new Set<Socket>()
  const held: (() => void)[] = []
  let isHolding = false
  const join = (one: Socket, first: Buffer): void => {
    const other = connect(to, '127.0.0.1')
    open.add(other)
    other.write(first)
    one.pipe(other).pipe(one)
    for (const [end, far] of [
      [one, other],
      [other, one],
    ] as const) {
      end.on('error', () => {})
      end.on('close', () => {
        open.delete(end)
        far.destroy()
      })
    }
  }
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.once('data', (first) => {
      socket.pause()
      if (isHolding && /upgrade: websocket/i.test(String(first))) held.push(() => join(socket, first))
      else join(socket, first)
    })
  })
  const listen = (port: number): Promise<void> => new Promise((ready) => server.listen(port, '127.0.0.1', ready))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const drop = (): void => {
    server.close()
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    hold: () => void (isHolding = true),
    release: () => {
      isHolding = false
      for (const goOn of held.splice(0)) goOn()
    },
    cut: drop,
    mend: () => listen(port),
    close: async () => {
      if (server.listening) drop()
    },
  }
}
