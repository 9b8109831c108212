// Visits to a page with a kept copy.

/** Time of the last change of a page, by what its site lists. */
export interface Listed {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly by: 'sitemap' | 'feed'
}

/** A copy of a page, and what its site says of the page since. */
export interface KeptCopy {
  /** Address it was loaded from. */
  readonly url: string
  /** Time it was loaded, in milliseconds since 1970. */
  readonly at: number
  readonly headers: Readonly<Record<string, string>>
  readonly listed?: Listed | undefined
}

/**
 * Way to visit a page with a kept copy: load it; ask its host whether it has changed since; or keep the copy without
 * asking its host.
 */
export type RevisitWay = 'load' | 'ask' | 'keep'

/** The way that a format has chosen. */
export interface RevisitChoice {
  readonly way: RevisitWay
  /** A sentence for `explain`. */
  readonly reason?: string | undefined
}

/** The visit to a page with a kept copy, as it was carried out. */
export interface Revisited extends RevisitChoice {
  readonly copy: KeptCopy
  /** The page is the copy: its host has said so, or was not asked. */
  readonly isCopy: boolean
}

/** The headers by which a host tells whether a page has changed; nothing where the copy has neither of them. */
export function validatorsOf({ headers }: KeptCopy): Readonly<Record<string, string>> | undefined {
  const { etag, 'last-modified': modified } = headers
  if (etag === undefined && modified === undefined) return undefined
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(modified !== undefined && { 'if-modified-since': modified }),
  }
}
