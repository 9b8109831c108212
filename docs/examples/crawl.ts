import { createEngine } from '@harvestman/core'

/** Crawls a site and returns the titles of its pages by URL. */
export async function titlesOf(url: string, allowPrivate: readonly string[] = []): Promise<Map<string, string>> {
  const engine = createEngine({ allowPrivate })
  try {
    const titles = new Map<string, string>()
    const crawl = await engine.crawl({ url, limit: 50, scrapeOptions: { formats: ['links'] } })
    for await (const { metadata } of crawl.documents()) titles.set(metadata.url, metadata.title ?? '')
    return titles
  } finally {
    await engine.close()
  }
}
