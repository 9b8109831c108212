// Visits to pages that have a cached copy.

/** When a page last changed, according to its site. */
export interface Listed {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly by: 'sitemap' | 'feed'
}

/** A cached copy of a page, and the last change of the page according to its site. */
export interface KeptCopy {
  /** URL it was loaded from. */
  readonly url: string
  /** When it was loaded, in milliseconds since 1970. */
  readonly at: number
  readonly headers: Readonly<Record<string, string>>
  readonly listed?: Listed | undefined
}

/**
 * How to visit a page that has a cached copy: `load` it again, `ask` its host with a conditional request, or `keep` the copy
 * without a request.
 */
export type RevisitWay = 'load' | 'ask' | 'keep'

/** Decision of a format. */
export interface RevisitChoice {
  readonly way: RevisitWay
  /** Sentence for `explain`. */
  readonly reason?: string | undefined
}

/** A completed visit to a page that has a cached copy. */
export interface Revisited extends RevisitChoice {
  readonly copy: KeptCopy
  /** True if the result is the cached copy: the host has confirmed it, or was not asked. */
  readonly isCopy: boolean
}

/** Returns the headers of a conditional request, or `undefined` if the copy has neither `ETag` nor `Last-Modified`. */
export function validatorsOf({ headers }: KeptCopy): Readonly<Record<string, string>> | undefined {
  const { etag, 'last-modified': modified } = headers
  if (etag === undefined && modified === undefined) return undefined
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(modified !== undefined && { 'if-modified-since': modified }),
  }
}
