// Finds and repeats requests of the page.

/** Returns the first `most` distinct URLs that scripts of the page requested, in order. */
export function requestedUrls(most: number): string[] {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const isOfScript = ({ initiatorType, name }: PerformanceResourceTiming): boolean =>
    (initiatorType === 'fetch' || initiatorType === 'xmlhttprequest') && name.startsWith('http')
  return [...new Set(entries.filter(isOfScript).map(({ name }) => name))].slice(0, most)
}

/** Fetches a URL and returns the JSON source; `null` if the request fails, or if it is longer than `maxText` characters. */
export async function fetchJson(url: string, maxText: number): Promise<string | null> {
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' } })
    if (!response.ok || !/json/i.test(response.headers.get('content-type') ?? '')) return null
    const text = await response.text()
    return text.length > maxText ? null : text
  } catch {
    return null
  }
}
