/** A cookie as a browser stores it, in the form of Playwright. */
export interface StoredCookie {
  readonly name: string
  readonly value: string
  /** With a leading dot if subdomains get it, too. */
  readonly domain: string
  readonly path: string
  /** Seconds since 1970, or -1 until the browser ends. */
  readonly expires: number
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly sameSite?: 'Strict' | 'Lax' | 'None' | undefined
}
