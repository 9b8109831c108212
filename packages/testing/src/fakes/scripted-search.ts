import type { Search, SearchHit, SearchQuery, SearchSource } from '@harvestman/ports'

/** The result of a scripted search: hits, a function of the query, an error, or no response at all. */
export type SearchReply =
  | readonly SearchHit[]
  | ((query: SearchQuery, signal: AbortSignal) => readonly SearchHit[] | Promise<readonly SearchHit[]>)
  | Error
  | 'silence'

/** A search with scripted results, which records its queries. */
export interface ScriptedSearch extends Search {
  /** All queries, in order. */
  readonly queries: readonly SearchQuery[]
}

/**
 * Creates a search with the given result for each source; other sources have no hits. An error as the result rejects; `silence`
 * never responds.
 */
export function scriptedSearch(
  replies: Partial<Record<SearchSource, SearchReply>>,
  options: Partial<Pick<Search, 'name' | 'follows'>> = {},
): ScriptedSearch {
  const queries: SearchQuery[] = []
  return {
    name: options.name ?? 'the scripted search',
    sources: Object.keys(replies) as SearchSource[],
    follows: options.follows ?? ['language', 'country', 'location', 'time', 'newestFirst', 'category', 'safe'],
    queries,
    find: async (query, signal) => {
      signal.throwIfAborted()
      queries.push(query)
      const reply = replies[query.source] ?? []
      if (reply instanceof Error) throw reply
      if (typeof reply === 'function') return reply(query, signal)
      if (reply !== 'silence') return reply
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    },
  }
}
