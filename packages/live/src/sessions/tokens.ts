import { randomBytes, timingSafeEqual } from 'node:crypto'

/** Right that a token gives to a live browser. */
export type SessionRight = 'cdp' | 'view' | 'control'

/** Words that cannot be guessed, one for each right. They are good for as long as the session. */
export type SessionTokens = Readonly<Record<SessionRight, string>>

/** A word that cannot be guessed. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url')
}

export function makeTokens(): SessionTokens {
  return { cdp: makeToken(), view: makeToken(), control: makeToken() }
}

/** Returns whether two tokens are the same, in a time that says nothing of where they differ. */
export function isSame(one: string, other: string): boolean {
  const [mine, theirs] = [Buffer.from(one), Buffer.from(other)]
  return mine.length === theirs.length && timingSafeEqual(mine, theirs)
}

/** The right that a token gives, found in the same time whatever the token is. */
export function rightOf({ cdp, view, control }: SessionTokens, given: string): SessionRight | undefined {
  const found = { cdp: isSame(cdp, given), view: isSame(view, given), control: isSame(control, given) }
  return found.cdp ? 'cdp' : found.view ? 'view' : found.control ? 'control' : undefined
}
