import { guarded } from '@harvestman/ports/adapters'
import type { Wire } from '@harvestman/ports'

import { makePrint } from './secrets.ts'
import type { Line } from './switch.ts'

/** The client at the outer end of a connection: it is told things until the connection is over. */
export interface Client {
  readonly wire: Wire
  readonly isOpen: boolean
  say(message: object): void
  /** Whether it could be said: it is not when it is too large, or holds a secret that cannot be found in time. */
  sayLarge(head: object, name: 'result' | 'params', written: string): boolean
}

export interface ClientOptions {
  readonly line: Line
  /** What no client is told. */
  readonly secrets: readonly string[]
  /** The most characters that it is told at once. */
  readonly longest: number
  readonly onFault: (fault: unknown) => void
  /** Called once, when the connection is over. */
  readonly left: () => void
  /** Takes what the client sends. */
  readonly take: (text: string) => Promise<void>
}

/** Opens the side of a connection that a client sees. */
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
  line.onGone = () => {
    end()
    wire.onClose?.()
  }
  return {
    wire,
    get isOpen() {
      return isOpen
    },
    say: (message) => {
      if (isOpen) wire.onMessage?.(print(message))
    },
    sayLarge: (head, name, written) => {
      if (!isOpen) return true
      const text = written.length > longest ? undefined : print.large(head, name, written)
      if (text !== undefined) wire.onMessage?.(text)
      return text !== undefined
    },
  }
}
