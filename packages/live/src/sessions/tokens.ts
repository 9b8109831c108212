import { randomBytes, timingSafeEqual } from 'node:crypto'

/** Right of a token: DevTools access, viewing, or viewing with input. */
export type SessionRight = 'cdp' | 'view' | 'control'

/** Random tokens, one for each right, that are valid as long as the session. */
export type SessionTokens = Readonly<Record<SessionRight, string>>

/** Returns a random token. It cannot be guessed: 256 bits in base64url. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns new tokens of a live browser, one for each right. */
export function makeTokens(): SessionTokens {
  return { cdp: makeToken(), view: makeToken(), control: makeToken() }
}

/** Compares two tokens in constant time. Tokens of different length are not the same. */
export function isSameToken(one: string, other: string): boolean {
  const [mine, theirs] = [Buffer.from(one), Buffer.from(other)]
  return mine.length === theirs.length && timingSafeEqual(mine, theirs)
}

/** Returns the right that a token gives, in constant time, or `undefined` if the token is wrong. */
export function rightOf({ cdp, view, control }: SessionTokens, given: string): SessionRight | undefined {
  const found = { cdp: isSameToken(cdp, given), view: isSameToken(view, given), control: isSameToken(control, given) }
  return found.cdp ? 'cdp' : found.view ? 'view' : found.control ? 'control' : undefined
}
