import { guarded } from './guarded.ts'
import { makeInbox, type Inbox } from './inbox.ts'
import { makeSender, socketStates as states, type SendSocket } from './socket-send.ts'

/** Members used of a WebSocket of the package `ws`. */
export interface TalkSocket extends SendSocket {
  on(event: 'message', listener: (data: Uint8Array) => void): unknown
  on(event: 'close' | 'error', listener: () => void): unknown
  pause(): void
  resume(): void
  close(code: number, reason: string): void
  terminate(): void
}

/** A WebSocket within bounds, both ways. */
export interface SocketTalk extends Pick<Inbox, 'open'> {
  /** Resolves when the message has left, to whether it has. */
  send(message: string | Uint8Array): Promise<boolean>
  close(code: number, reason: string): void
}

/** Callbacks for what happens to a socket. */
export interface TalkOptions {
  /** Told once, when the connection is over. */
  readonly onClose: () => void
  /** Something of ours broke. The connection is ended with it, and nothing else is. */
  readonly onFault: (fault: unknown) => void
}

/** The codes that a WebSocket is closed with. */
export const closeCodes = { refused: 1008, fault: 1011 } as const

/** Bytes that the other side has not read yet: it is listened to no more above the first, and hung up on above the second. */
export const unread = { most: 32 * 1_048_576, hold: 4 * 1_048_576 }
// For the word of farewell; who does not read it is hung up on.
const farewell = 2_000

/**
 * Speaks with a stranger over a WebSocket. The only place that listens for messages on one: they are taken by an inbox, what
 * breaks ends this connection alone, and who does not read cannot fill the memory.
 */
export function talkOver(socket: TalkSocket, { onClose, onFault }: TalkOptions): SocketTalk {
  const close = (code: number, reason: string): void => {
    socket.close(code, reason)
    inbox.close()
    if (socket.readyState !== states.closed) setTimeout(() => socket.terminate(), farewell).unref()
  }
  const fail = (fault: unknown): void => {
    close(closeCodes.fault, 'An internal error occurred. Connect again.')
    onFault(fault)
  }
  const inbox = makeInbox({ hold: (isHeld) => (isHeld ? socket.pause() : socket.resume()), onFault: fail })
  const decoder = new TextDecoder()
  socket.on('error', () => undefined)
  socket.on(
    'message',
    guarded((data) => inbox.add(decoder.decode(data)), fail),
  )
  socket.on(
    'close',
    guarded(() => {
      inbox.close()
      onClose()
    }, onFault),
  )
  const sender = makeSender(socket, (left) => inbox.hold(left > unread.hold))
  const send = (message: string | Uint8Array): Promise<boolean> => {
    if (sender.left() <= unread.most) return sender.send(message)
    if (socket.readyState === states.open)
      close(closeCodes.refused, 'What was sent was not read: read faster, or ask for less.')
    return Promise.resolve(false)
  }
  return { open: inbox.open, send, close }
}

/** Messages of a socket that wait for the one who takes them. */
export interface Hearing {
  /** Says who takes the messages; until then they wait. */
  open(take: (data: string | Uint8Array) => unknown): void
}

/** Hears on a WebSocket that this process has opened to another one of ours. What breaks closes it. */
export function hearOn(socket: WebSocket, onFault: (fault: unknown) => void): Hearing {
  const early: (string | Uint8Array)[] = []
  let take: (data: string | Uint8Array) => unknown = (data) => early.push(data)
  const fail = (fault: unknown): void => {
    socket.close()
    onFault(fault)
  }
  socket.binaryType = 'arraybuffer'
  socket.addEventListener(
    'message',
    guarded(
      ({ data }: { readonly data: string | ArrayBuffer }) =>
        take(typeof data === 'string' ? data : new Uint8Array(data)),
      fail,
    ),
  )
  return {
    open: (to) => {
      take = to
      early.splice(0).forEach(guarded((data: string | Uint8Array) => to(data), fail))
    },
  }
}
