import { guarded } from '@harvestman/toolbox/guarded'
import type { Wire } from '@harvestman/ports'

import { makePrint } from './secrets.ts'
import type { Line } from './switch.ts'

/** The client's end of a DevTools connection, which can be sent messages until the connection ends. */
export interface Client {
  readonly wire: Wire
  readonly isOpen: boolean
  send(message: object): void
  /** Sends a large message. Returns `false` if it is too large, or contains a secret that cannot be redacted in time. */
  sendLarge(head: object, name: 'result' | 'params', written: string): boolean
}

export interface ClientOptions {
  readonly line: Line
  /** Strings that must not be sent to any client. */
  readonly secrets: readonly string[]
  /** Maximum number of characters of a message to the client. */
  readonly longest: number
  readonly onFault: (fault: unknown) => void
  /** Called once, when the connection has ended. */
  readonly left: () => void
  /** Handles a message from the client. */
  readonly take: (text: string) => Promise<void>
}

/**
 * Creates the client's end of a connection. An internal error is passed to `onFault` and closes the connection; `left` is
 * called once when it has ended.
 */
export function makeClient({ line, secrets, longest, onFault, left, take }: ClientOptions): Client {
  const print = makePrint(secrets)
  let isOpen = true
  const end = (): boolean => {
    const wasOpen = isOpen
    isOpen = false
    if (wasOpen) left()
    return wasOpen
  }
  const fail = (fault: unknown): void => {
    if (!end()) return
    line.close()
    onFault(fault)
    wire.onClose?.(fault)
  }
  const wire: Wire = {
    onMessage: undefined,
    onClose: undefined,
    send: guarded(take, fail),
    close: () => {
      if (end()) line.close()
    },
  }
  line.onFault = fail
  line.onClosed = () => {
    end()
    wire.onClose?.()
  }
  return {
    wire,
    get isOpen() {
      return isOpen
    },
    send: (message) => {
      if (isOpen) wire.onMessage?.(print(message))
    },
    sendLarge: (head, name, written) => {
      if (!isOpen) return true
      const text = written.length > longest ? undefined : print.large(head, name, written)
      if (text !== undefined) wire.onMessage?.(text)
      return text !== undefined
    },
  }
}
