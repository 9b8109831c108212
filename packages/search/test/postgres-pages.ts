// Pages and a model for the tests of the index in Postgres.
import type { Embeddings } from '@harvestman/ports'
import { hashedVector } from '@harvestman/testing'

import type { PageIndex } from '../src/index.ts'

/** Puts a page in as an engine does that has scraped it. */
export async function put(
  index: PageIndex,
  url: string,
  { title = 'Page', markdown = '', team = 'a', at = Date.now() },
) {
  // Cast: the parts of a context that the keeper reads.
  const context = { team, page: { url, status: 200 }, clock: { now: () => at } } as never
  await index.plugin.keepers[0]?.keep({ markdown, metadata: { title } }, context)
}

/** Returns the URLs of the pages that a query finds. */
export async function urlsOf(index: PageIndex, words: string, team = 'a'): Promise<readonly string[]> {
  const query = { team, words, source: 'web', limit: 100, language: 'en', newestFirst: false } as const
  const all = { ...query, includeDomains: [], excludeDomains: [], categories: [] }
  return (await index.find(all, new AbortController().signal)).map(({ url }) => url)
}

/** A model that records the texts that it embeds. */
export function hashed(embedded: string[] = []): Embeddings {
  return {
    name: 'hashed',
    embed: async (texts) => {
      embedded.push(...texts)
      return {
        vectors: texts.map((text) => Float32Array.from(hashedVector(text))),
        usage: { inputTokens: 1, outputTokens: 0 },
      }
    },
  }
}
