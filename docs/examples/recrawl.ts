import { createEngine } from '@harvestman/core'
import { recrawl, revisitOf } from '@harvestman/monitors/recrawl'

/** Crawls a site twice, and returns how each page has changed in between. */
export async function whatIsNew(url: string, change: () => unknown, allowPrivate: readonly string[] = []) {
  await using engine = createEngine({ allowPrivate, plugins: [recrawl()] })
  const first = await engine.crawl({ url })
  await first.end()
  change()
  const second = await engine.crawl({ url, since: first.id })
  const found: Record<string, string | undefined> = {}
  for await (const page of second.documents()) {
    const { pathname } = new URL(page.metadata.sourceURL)
    found[pathname] = revisitOf(page)?.status
  }
  return found
}
