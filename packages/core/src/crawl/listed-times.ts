/** When the pages of a site have changed, by its sitemaps: as long as the crawl runs here. A page without it is asked for. */
export interface ListedTimes {
  note(url: string, at: number): void
  of(url: string): number | undefined
}

const mostTimes = 100_000

export function listedTimes(): ListedTimes {
  const times = new Map<string, number>()
  return {
    note: (url, at) => {
      if (times.size < mostTimes || times.has(url)) times.set(url, Math.max(at, times.get(url) ?? 0))
    },
    of: (url) => times.get(url),
  }
}
