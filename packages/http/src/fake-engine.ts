// For the tests of this package: an engine that loads nothing, with the schemas of a real one.
import { createEngine, EngineError, type AnyDocument, type Call } from '@harvestman/core'
import { check, type ScrapeRequest } from '@harvestman/core/schema'

import type { ApiEngine } from './engine.ts'

type Answer = (request: ScrapeRequest, call: Call) => Partial<AnyDocument> | Promise<Partial<AnyDocument>>

export interface FakeEngine extends ApiEngine {
  /** What was asked for, in order. */
  readonly requests: readonly ScrapeRequest[]
  /** Documents by id, with the team that they belong to. */
  readonly kept: Map<string, { readonly team: string; readonly document: AnyDocument }>
}

export function fakeEngine(answer: Answer = () => ({})): FakeEngine {
  const { schemas } = createEngine()
  const requests: ScrapeRequest[] = []
  const kept: FakeEngine['kept'] = new Map()
  return {
    schemas,
    requests,
    kept,
    scrapeAny: async (input, call = {}) => {
      const request = check(schemas.scrape, input)
      requests.push(request)
      const { metadata, ...rest } = await answer(request, call)
      const document = { markdown: 'text', ...rest, metadata: { ...metadataOf(request), ...metadata } }
      if (call.keep) kept.set(document.metadata.scrapeId, { team: call.team ?? 'default', document })
      return document
    },
    findScrape: async (id, { team = 'default' } = {}) => {
      const found = kept.get(id)
      if (!found) throw new EngineError('not_found', 'There is no scrape under this id.')
      if (found.team !== team) throw new EngineError('forbidden', 'This scrape belongs to another team.')
      return found.document
    },
  }
}

export const someId = '0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11'

function metadataOf({ url }: ScrapeRequest) {
  return { sourceURL: url, url, statusCode: 200, scrapeId: someId, proxyUsed: 'basic', creditsUsed: 1 } as const
}
