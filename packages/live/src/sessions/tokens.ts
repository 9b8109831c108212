import { randomBytes, timingSafeEqual } from 'node:crypto'

/** What the holder of a token may do with a live browser. */
export type SessionRight = 'cdp' | 'view' | 'control'

/** Words that cannot be guessed, one for each right. They are good for as long as the session. */
export type SessionTokens = Readonly<Record<SessionRight, string>>

export function makeTokens(): SessionTokens {
  const token = (): string => randomBytes(32).toString('base64url')
  return { cdp: token(), view: token(), control: token() }
}

/** The right that a token gives, found in the same time whatever the token is. */
export function rightOf(tokens: SessionTokens, given: string): SessionRight | undefined {
  let found: SessionRight | undefined
  for (const [right, token] of Object.entries(tokens) as [SessionRight, string][]) {
    const [mine, theirs] = [Buffer.from(token), Buffer.from(given)]
    if (mine.length === theirs.length && timingSafeEqual(mine, theirs)) found = right
  }
  return found
}
