import { hash, randomBytes } from 'node:crypto'

/** Login sessions: a random cookie represents an API key, which scripts of the page never see. */
export interface Sessions {
  /** Creates a session and returns its cookie. */
  open(key: string): string
  /** Returns the API key of a cookie, or `undefined` if it is unknown or expired. */
  keyOf(cookie: string): string | undefined
  close(cookie: string): void
}

interface OpenSession {
  readonly key: string
  readonly until: number
}

export const sessionSeconds = 12 * 3_600
const maxSessions = 10_000

/**
 * Creates a store in memory for the sessions of logged-in browsers, at most 10,000: the oldest then ends. `keyOf` returns
 * `undefined` for an unknown cookie, and 12 hours after `open`. `now` returns milliseconds.
 */
export function makeSessions(now: () => number = Date.now): Sessions {
  // Keyed by hash, so that a memory dump reveals no valid cookies.
  const sessions = new Map<string, OpenSession>()
  const nameOf = (cookie: string): string => hash('sha256', cookie, 'base64url')
  return {
    open: (key) => {
      const cookie = randomBytes(32).toString('base64url')
      const [oldest] = sessions.keys()
      if (sessions.size >= maxSessions && oldest !== undefined) sessions.delete(oldest)
      sessions.set(nameOf(cookie), { key, until: now() + sessionSeconds * 1_000 })
      return cookie
    },
    keyOf: (cookie) => {
      const name = nameOf(cookie)
      const found = sessions.get(name)
      if (!found) return undefined
      if (found.until > now()) return found.key
      sessions.delete(name)
      return undefined
    },
    close: (cookie) => void sessions.delete(nameOf(cookie)),
  }
}
