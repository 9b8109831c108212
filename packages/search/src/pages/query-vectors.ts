import type { Embeddings } from '@harvestman/ports'
import { errorMessage } from '@harvestman/toolbox/error-message'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'

import { readFilters } from './operators.ts'
import type { ModelVector } from './vectors.ts'
import { readTerms } from './words.ts'

/** Returns the vector of a query. `undefined` if it has no words, or if the model fails, which is a warning. */
export type QueryVectors = (team: string, words: string, signal: AbortSignal) => Promise<ModelVector | undefined>

const timeout = 10_000

/** Creates a function that embeds queries, and caches the vectors of the last 200. */
export function queryVectors(embeddings: Embeddings, warn: (message: string) => void): QueryVectors {
  const known = recentlyUsed<string, ModelVector>(200)
  return async (team, words, signal) => {
    const text = meaningOf(words)
    if (text === '') return undefined
    const key = `${team}\n${text}`
    const cached = known.get(key)
    if (cached) return cached
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeout)])
      const [vector] = (await embeddings.embed([text], 'query', limit)).vectors
      if (!vector) return undefined
      known.set(key, { model: embeddings.name, vector })
      return { model: embeddings.name, vector }
    } catch (error) {
      signal.throwIfAborted()
      warn(`A search could not be embedded, and finds pages by its words only. ${errorMessage(error)}`)
      return undefined
    }
  }
}

/** Returns a query without filters, quotes and unwanted words. */
function meaningOf(words: string): string {
  return readTerms(readFilters(words).words).all.join(' ')
}
