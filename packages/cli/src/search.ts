import { previewOf, withClient, type EngineFlags } from './follow.ts'
import { explainFormats, formatsOf, parseOptions } from './page-options.ts'
import type { PreviewFlags } from './preview.ts'
import { exitCodes, type Shell } from './shell.ts'
import { untilStopped } from './until-stopped.ts'
import { numberOr } from './numbers.ts'

export interface SearchFlags extends EngineFlags, PreviewFlags {
  readonly limit?: string
  readonly source?: readonly string[]
  readonly tbs?: string
  readonly country?: string
  readonly lang?: string
  readonly includeDomain?: readonly string[]
  readonly excludeDomain?: readonly string[]
  readonly format?: readonly string[]
  readonly formatOption?: readonly string[]
  readonly timeout?: string
  readonly options?: string
}

/**
 * Prints the search results for a query: URL, title and text of each page. Rejects if the search fails. Resolves to the exit
 * code, also if Ctrl-C stops it.
 */
export async function search(query: string, flags: SearchFlags, shell: Shell): Promise<number> {
  const request = toSearch(query, flags)
  if (flags.preview) return previewOf('search', request, flags, shell)
  return withClient(flags, shell, (client) =>
    untilStopped(async (signal) => {
      const {
        web = [],
        news = [],
        images = [],
        warning,
      } = await client
        .search(request, { signal })
        .catch((error: unknown) => Promise.reject(explainFormats(error, request)))
      if (warning !== undefined) shell.err(`${warning}\n`)
      const found: readonly FoundPage[] = [...web, ...news, ...images]
      shell.out(found.map((one) => (flags.json ? `${JSON.stringify(one)}\n` : asText(one))).join(''))
      return exitCodes.done
    }, shell),
  )
}

/** A search result. Its other fields depend on the source and the formats. */
interface FoundPage {
  readonly url: string
  readonly title: string
  readonly description?: unknown
  readonly snippet?: unknown
  readonly imageUrl?: unknown
  readonly markdown?: unknown
}

function asText({ url, title, description, snippet, imageUrl, markdown }: FoundPage): string {
  const parts = [description, snippet, imageUrl, markdown]
  const lines = parts.filter((text) => typeof text === 'string' && text !== '')
  return `${[url, title, ...lines].join('\n')}\n\n`
}

/**
 * Returns the engine's search request. Options without a flag are absent. Pages are loaded only if formats are given. Throws
 * `invalid_request` if `--options` or a format option is invalid.
 */
export function toSearch(query: string, flags: SearchFlags): object {
  const { limit, source, tbs, country, lang, includeDomain, excludeDomain, format, formatOption, timeout } = flags
  return {
    query,
    ...(limit !== undefined && { limit: numberOr(limit) }),
    ...(source && { sources: source }),
    ...(tbs !== undefined && { tbs }),
    ...(country !== undefined && { country }),
    ...(lang !== undefined && { lang }),
    ...(includeDomain && { includeDomains: includeDomain }),
    ...(excludeDomain && { excludeDomains: excludeDomain }),
    ...((format ?? formatOption) && { scrapeOptions: { formats: formatsOf(flags) } }),
    ...(timeout !== undefined && { timeout: numberOr(timeout) }),
    ...parseOptions(flags.options),
  }
}
