import { guarded } from './guarded.ts'
import { makeInbox, type Inbox } from './inbox.ts'
import { makeSender, socketStates as states, type SendSocket } from './socket-send.ts'

/** The members of a WebSocket of the package `ws` that are used. */
export interface TalkSocket extends SendSocket {
  on(event: 'message', listener: (data: Uint8Array) => void): unknown
  on(event: 'close' | 'error', listener: () => void): unknown
  pause(): void
  resume(): void
  close(code: number, reason: string): void
  terminate(): void
}

/** A WebSocket with limits in both directions. */
export interface SocketTalk extends Pick<Inbox, 'open'> {
  /** Resolves when the message was sent or has failed; `true` if it was sent. */
  send(message: string | Uint8Array): Promise<boolean>
  close(code: number, reason: string): void
}

/** Callbacks for events of a socket. */
export interface TalkOptions {
  /** Called once, when the connection has ended. */
  readonly onClose: () => void
  /** Called with an internal error. Only this connection is closed. */
  readonly onFault: (fault: unknown) => void
}

/** Close codes of WebSockets. */
export const closeCodes = { refused: 1008, fault: 1011 } as const

/**
 * Limits for bytes that the other side has not read yet: above `hold` its messages are not read, above `most` the connection is
 * closed.
 */
export const unread = { most: 32 * 1_048_576, hold: 4 * 1_048_576 }
// Milliseconds for the closing handshake; after that the connection is terminated.
const farewell = 2_000

/**
 * Wraps a WebSocket of an untrusted client. Its messages are not read while about 1 MiB of them wait, or while the client has
 * more than 4 MiB unread; a `send` above 32 MiB unread resolves to `false` and closes the connection. An internal error closes
 * only this connection.
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
      close(closeCodes.refused, 'Messages were not read. Read faster, or request less.')
    return Promise.resolve(false)
  }
  return { open: inbox.open, send, close }
}

/** Messages of a socket, queued until a handler is set. */
export interface Hearing {
  /** Sets the handler of messages; until then they are queued. */
  open(take: (data: string | Uint8Array) => unknown): void
}

/**
 * Receives messages on a WebSocket that this process has opened to another engine. An internal error closes it.
 * Messages that arrive before `open` are stored.
 */
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
