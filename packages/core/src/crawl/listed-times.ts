import type { Listed } from '../scrape/caller.ts'

/** Change times of pages, as their site lists them, while the crawl runs here. A page without one is loaded. */
export interface ListedTimes {
  /** The latest time holds. */
  note(url: string, listed: Listed): void
  of(url: string): Listed | undefined
}

const mostTimes = 100_000

export function listedTimes(): ListedTimes {
  const times = new Map<string, Listed>()
  return {
    note: (url, listed) => {
      const known = times.get(url)
      if (known ? listed.at > known.at : times.size < mostTimes) times.set(url, listed)
    },
    of: (url) => times.get(url),
  }
}
