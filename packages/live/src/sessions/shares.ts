import { randomUUID } from 'node:crypto'

import { type Clock, EngineError } from '@harvestman/ports'

import { isSameToken, makeToken } from './tokens.ts'

/** A link to view a live browser, which expires at the latest when the browser ends. */
export interface SessionShare {
  readonly id: string
  readonly token: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** The links of one live browser. Like its tokens, they exist only in its process. */
export interface SessionShares {
  /** Creates a link that is valid for `life` milliseconds, at most until the session ends. */
  open(life: number): SessionShare
  /** Lists the valid links, newest first. */
  list(): readonly SessionShare[]
  /** Revokes a link and disconnects its viewers. Returns whether the link existed. */
  end(id: string): boolean
}

interface OpenShare extends SessionShare {
  readonly ends: AbortController
  readonly timer: NodeJS.Timeout
}

const maxShares = 20

export interface SharesOptions {
  readonly clock: Clock
  /** Latest time at which the session ends. */
  readonly until: number
  /** Aborted when the session has ended. */
  readonly closed: AbortSignal
}

/**
 * Creates the manager of the share links of a live browser. `open` throws `conflict` if there are 20 links already, and the
 * reason of `closed` if the browser has ended. No link is valid after `until`, in milliseconds since the epoch.
 */
export function makeSessionShares({ clock, until, closed }: SharesOptions): SessionShares & {
  /** Returns a signal that is aborted when the token's link ends, or `undefined` if there is no such link. */
  enter(token: string): AbortSignal | undefined
} {
  const open = new Map<string, OpenShare>()
  const close = (id: string, why: string): boolean => {
    const share = open.get(id)
    if (!share) return false
    open.delete(id)
    clearTimeout(share.timer)
    share.ends.abort(new EngineError('forbidden', `This link has ended. ${why}`))
    return true
  }
  const find = (token: string): OpenShare | undefined => [...open.values()].find((one) => isSameToken(one.token, token))
  closed.addEventListener('abort', () => {
    for (const { timer } of open.values()) clearTimeout(timer)
    open.clear()
  })
  return {
    open: (life) => {
      closed.throwIfAborted()
      if (open.size >= maxShares) throw tooMany()
      const createdAt = clock.now()
      const expiresAt = Math.min(createdAt + life, until)
      const id = randomUUID()
      const timer = setTimeout(() => close(id, 'It expired.'), expiresAt - createdAt)
      timer.unref()
      const share = { id, token: makeToken(), createdAt, expiresAt }
      open.set(id, { ...share, ends: new AbortController(), timer })
      return share
    },
    list: () => [...open.values()].map(shown).toReversed(),
    end: (id) => close(id, 'Its owner ended it.'),
    enter: (token) => find(token)?.ends.signal,
  }
}

function shown({ id, token, createdAt, expiresAt }: OpenShare): SessionShare {
  return { id, token, createdAt, expiresAt }
}

function tooMany(): EngineError {
  return new EngineError('conflict', `This live browser has ${maxShares} links, which is the maximum. End one.`)
}
