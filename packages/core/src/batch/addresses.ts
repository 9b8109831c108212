import { setImmediate } from 'node:timers/promises'

import { parseWebUrl } from '@harvestman/net/request'
import type { BatchRequest } from '../schema/batch.ts'
import { maxProblems, invalidRequest } from '../schema/problems.ts'
import { threatRules } from '../threats/rules.ts'

export interface ReadAddresses {
  readonly urls: string[]
  readonly invalidURLs: string[]
}

type Given = Pick<BatchRequest, 'urls' | 'ignoreInvalidURLs' | 'threatProtection'>
type Schemes = ReadonlySet<string> | undefined

// URLs per turn of the event loop, a few milliseconds of work. Tens of thousands of URLs would block other requests for a tenth
// of a second.
const slice = 1_000

/**
 * Validates the URLs of a batch. Rejects with `invalid_request` if one is invalid and `unsafe_domain_blocked` if one is blocked.
 * With `ignoreInvalidURLs`, such URLs are returned in `invalidURLs` instead.
 */
export async function readAddresses(given: Given, schemes: Schemes): Promise<ReadAddresses> {
  const sorter = makeSorter(given, schemes)
  for (let at = 0; at < given.urls.length && sorter.take(at); at += 1) {
    if (at % slice === slice - 1) await setImmediate()
  }
  return sorter.sorted()
}

/**
 * Validates the URLs of a batch synchronously, for its price. Throws as `readAddresses` rejects: `invalid_request` for an invalid
 * URL and `unsafe_domain_blocked` for a blocked one.
 */
export function checkAddresses(given: Given, schemes: Schemes): void {
  const sorter = makeSorter(given, schemes)
  given.urls.every((_, at) => sorter.take(at))
  sorter.sorted()
}

function makeSorter({ urls: given, ignoreInvalidURLs, threatProtection }: Given, schemes: Schemes) {
  const threats = threatRules(threatProtection)
  const urls: string[] = []
  const invalidURLs: string[] = []
  const problems: { readonly path: readonly (string | number)[]; readonly text: string }[] = []
  return {
    /** Validates the URL at an index. Returns false if there are too many problems to continue. */
    take: (at: number): boolean => {
      const url = given[at] ?? ''
      const { url: parsed, text = url, problem = '' } = parseWebUrl(url, schemes)
      if (parsed && !ignoreInvalidURLs) threats?.check(parsed)
      if (parsed && !threats?.find(parsed)) urls.push(text)
      else if (ignoreInvalidURLs) invalidURLs.push(url)
      else if (!parsed) problems.push({ path: ['urls', at], text: problem })
      return problems.length < maxProblems
    },
    sorted: (): ReadAddresses => {
      if (problems.length > 0) throw invalidRequest(problems)
      return { urls, invalidURLs }
    },
  }
}
