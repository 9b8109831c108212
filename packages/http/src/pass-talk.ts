import { statuses } from './errors.ts'
import type { Refusal } from './answer.ts'
import { talkCodes, type Channel, type Talk } from './live/talk.ts'

// What a client of the DevTools protocol may send in one message.
const mostIncoming = 100 * 1024 * 1024
const opensWithin = 10_000
/** Bytes that the other side has not taken yet; one that takes nothing is hung up on. */
const mostWaiting = 64 * 1024 * 1024

/** Opens the WebSocket at another process, and passes on what both sides say. */
export async function passTalk(url: string, headers: Readonly<Record<string, string>>): Promise<Talk | Refusal> {
  const socket = new WebSocket(url, { headers })
  socket.binaryType = 'arraybuffer'
  const early: MessageEvent[] = []
  const keep = (event: MessageEvent): void => void early.push(event)
  socket.addEventListener('message', keep)
  if (!(await opened(socket)))
    return { ...statuses.forbidden, error: 'This address of a live browser is not good, or not any more.' }
  return {
    mostIncoming,
    begin: (channel) => {
      socket.removeEventListener('message', keep)
      return join(socket, channel, early)
    },
  }
}

function opened(socket: WebSocket): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => (resolve(false), socket.close()), opensWithin)
    const settle = (isOpen: boolean) => (): void => {
      clearTimeout(late)
      resolve(isOpen)
    }
    socket.addEventListener('open', settle(true))
    socket.addEventListener('error', settle(false))
  })
}

function join(socket: WebSocket, channel: Channel, early: readonly MessageEvent[]): Promise<void> {
  return new Promise((resolve) => {
    let waiting = 0
    const pass = ({ data }: MessageEvent): void => {
      const message = typeof data === 'string' ? data : new Uint8Array(data as ArrayBuffer)
      waiting += message.length
      if (waiting > mostWaiting) return channel.close(talkCodes.fault, 'It is too slow.')
      void channel.send(message).finally(() => (waiting -= message.length))
    }
    early.forEach(pass)
    socket.addEventListener('message', pass)
    socket.addEventListener('close', ({ code, reason }) => {
      channel.close(code === 1005 || code === 1006 ? talkCodes.goingAway : code, reason)
      resolve()
    })
    channel.onMessage = (text) => {
      if (socket.bufferedAmount > mostWaiting) socket.close()
      else if (socket.readyState === socket.OPEN) socket.send(text)
    }
    channel.onClose = () => {
      socket.close()
      resolve()
    }
    if (socket.readyState !== socket.OPEN) resolve()
  })
}
