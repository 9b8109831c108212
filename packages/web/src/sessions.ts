import { hash, randomBytes } from 'node:crypto'

/** Who has logged in: a random cookie stands for a key, which scripts of the page never see. */
export interface Sessions {
  /** Gives the value of the cookie. */
  open(key: string): string
  /** The key that a cookie stands for. */
  keyOf(cookie: string): string | undefined
  close(cookie: string): void
}

interface OpenSession {
  readonly key: string
  readonly until: number
}

export const sessionSeconds = 12 * 3_600
const mostSessions = 10_000

export function makeSessions(now: () => number = Date.now): Sessions {
  // By hash: what is in memory opens nothing.
  const sessions = new Map<string, OpenSession>()
  const nameOf = (cookie: string): string => hash('sha256', cookie, 'base64url')
  return {
    open: (key) => {
      const cookie = randomBytes(32).toString('base64url')
      const [oldest] = sessions.keys()
      if (sessions.size >= mostSessions && oldest !== undefined) sessions.delete(oldest)
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
