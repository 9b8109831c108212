import type { Listed } from '../scrape/caller.ts'

/** Modification times of pages from sitemaps and feeds. Kept in memory only; a page without one is loaded. */
export interface ListedTimes {
  /** Records a time. The latest one wins. */
  note(url: string, listed: Listed): void
  of(url: string): Listed | undefined
}

const maxTimes = 100_000

/** Creates an empty list of times for up to 100,000 URLs. Times of further URLs are ignored. */
export function listedTimes(): ListedTimes {
  const times = new Map<string, Listed>()
  return {
    note: (url, listed) => {
      const known = times.get(url)
      if (known ? listed.at > known.at : times.size < maxTimes) times.set(url, listed)
    },
    of: (url) => times.get(url),
  }
}
