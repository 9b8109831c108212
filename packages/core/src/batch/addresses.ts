import { setImmediate } from 'node:timers/promises'

import { parseWebUrl } from '@harvestman/net/request'
import type { BatchRequest } from '../schema/batch.ts'
import { mostProblems, refuse } from '../schema/problems.ts'

export interface ReadAddresses {
  readonly urls: string[]
  readonly invalidURLs: string[]
}

type Given = Pick<BatchRequest, 'urls' | 'ignoreInvalidURLs'>
type Schemes = ReadonlySet<string> | undefined

// A few milliseconds of work. Tens of thousands of addresses take a tenth of a second, which no other request should wait.
const slice = 1_000

/** Reads the addresses of a batch. One that is none refuses it, unless those are to be skipped. */
export async function readAddresses(given: Given, schemes: Schemes): Promise<ReadAddresses> {
  const sorter = makeSorter(given, schemes)
  for (let at = 0; at < given.urls.length && sorter.take(at); at += 1) {
    if (at % slice === slice - 1) await setImmediate()
  }
  return sorter.sorted()
}

/** The same at once, for a batch that is only to be priced. */
export function checkAddresses(given: Given, schemes: Schemes): void {
  const sorter = makeSorter(given, schemes)
  given.urls.every((_, at) => sorter.take(at))
  sorter.sorted()
}

function makeSorter({ urls: given, ignoreInvalidURLs }: Given, schemes: Schemes) {
  const urls: string[] = []
  const invalidURLs: string[] = []
  const problems: { readonly path: readonly (string | number)[]; readonly text: string }[] = []
  return {
    /** Says whether it is worth going on. */
    take: (at: number): boolean => {
      const url = given[at] ?? ''
      const { text, problem } = parseWebUrl(url, schemes)
      if (text !== undefined) urls.push(text)
      else if (ignoreInvalidURLs) invalidURLs.push(url)
      else problems.push({ path: ['urls', at], text: problem })
      return problems.length < mostProblems
    },
    sorted: (): ReadAddresses => {
      if (problems.length > 0) throw refuse(problems)
      return { urls, invalidURLs }
    },
  }
}
