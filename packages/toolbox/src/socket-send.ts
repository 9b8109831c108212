import { setImmediate as nextTurn } from 'node:timers/promises'

/** The part of a WebSocket that sends. */
export interface SendSocket {
  readonly readyState: number
  readonly bufferedAmount: number
  send(
    message: string | Uint8Array,
    options: { readonly binary: boolean; readonly fin: boolean },
    sent: (error?: unknown) => void,
  ): void
}

/** Values of `readyState` of a WebSocket. */
export const socketStates = { open: 1, closed: 3 } as const

/** Sends messages through a socket. */
export interface Sender {
  /** Bytes that have not been sent yet, and characters of large messages not yet passed to the socket. */
  left(): number
  /** Resolves when the message was sent or has failed; `true` if it was sent. */
  send(message: string | Uint8Array): Promise<boolean>
}

/**
 * Creates the sender of a socket, which sends messages in order, large ones in chunks. `changed` is called with the amount left
 * to send whenever it changes. `send` resolves to false, and never rejects, if the socket is closed or fails.
 */
export function makeSender(socket: SendSocket, changed: (left: number) => void): Sender {
  let unsent = 0
  let last: Promise<boolean> | undefined
  const left = (): number => socket.bufferedAmount + unsent

  const put = (message: string | Uint8Array, fin = true): Promise<boolean> => {
    if (socket.readyState !== socketStates.open) return Promise.resolve(false)
    return new Promise((resolve) => {
      socket.send(message, { binary: typeof message !== 'string', fin }, (error) => {
        changed(left())
        resolve(!error)
      })
      changed(left())
    })
  }
  const putInTurn = async (before: Promise<boolean> | undefined, message: string | Uint8Array): Promise<boolean> => {
    await before
    let wasSent = true
    for (const { text, isLast } of piecesOf(message)) {
      await nextTurn()
      unsent -= text.length
      wasSent = await put(text, isLast)
    }
    return wasSent
  }
  return {
    left,
    send: (message) => {
      if (!last && message.length <= pieceSize) return put(message)
      if (socket.readyState !== socketStates.open) return Promise.resolve(false)
      unsent += message.length
      changed(left())
      const sending = putInTurn(last, message).finally(() => {
        if (last === sending) last = undefined
      })
      last = sending
      return sending
    },
  }
}

// Encoding this many characters does not block other connections noticeably.
const pieceSize = 1_048_576

/** Splits a large string into fragments of one message, each sent in its own turn; bytes need no encoding and stay whole. */
function* piecesOf(message: string | Uint8Array): Generator<{ text: string | Uint8Array; isLast: boolean }> {
  if (typeof message !== 'string') return yield { text: message, isLast: true }
  let from = 0
  do {
    const to = Math.min(message.length, from + pieceSize)
    // Does not split surrogate pairs.
    const end = to < message.length && isFirstHalf(message.charCodeAt(to - 1)) ? to - 1 : to
    yield { text: message.slice(from, end), isLast: end === message.length }
    from = end
  } while (from < message.length)
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}
