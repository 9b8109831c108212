import type { AnyDocument } from '@harvestman/core'
import { jsonPieces } from '@harvestman/ports/values'
import { openJson } from '@harvestman/toolbox/open-json'
import { z } from 'zod'

import type { ApiVersion } from '../versions/api-version.ts'
import type { Settings } from '../route/route.ts'
import { webResultSchema } from '../versions/search-results.ts'
import { batchToCore, crawlToCore, mapToCore, optionsFromCore, searchToCore } from './jobs.ts'
import { v1BatchSchema, v1CrawlSchema, v1MapSchema, v1SearchSchema } from './job-schemas.ts'
import { v1DocumentSchema, v1ScrapeSchema } from './schema.ts'
import { fromCore, fromCoreLater, toCore } from './translate.ts'

// Version 1 ignores invalid pagination values.
const pagination = z.object({
  skip: z.coerce.number().int().min(0).optional().catch(undefined),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .transform((limit) => Math.min(limit, 1_000))
    .optional()
    .catch(undefined),
})

export const v1Api: ApiVersion = {
  version: 'v1',
  scrape: { input: ({ scrape }) => v1ScrapeSchema(scrape), toCore },
  crawl: { input: v1CrawlSchema, toCore: crawlToCore },
  batch: { input: v1BatchSchema, toCore: batchToCore },
  map: { input: v1MapSchema, toCore: mapToCore },
  search: {
    input: v1SearchSchema,
    toCore: searchToCore,
    data: ({ web = [] }, settings) => web.map((result) => fromCore(result, settings)),
    dataSchema: z.array(webResultSchema),
    more: () => ({}),
    moreSchema: {},
  },
  pagination,
  pieces,
  document: fromCoreLater,
  documentSchema: ({ document }) => v1DocumentSchema(document, 'status'),
  documentAnswer: fromCore,
  documentAnswerSchema: ({ document }) => v1DocumentSchema(document, 'answer'),
  more: () => ({}),
  moreSchema: {},
  link: ({ url }) => url,
  linkSchema: z.string(),
  options: optionsFromCore,
  // The official client would report the end twice if it also came as a message.
  hasHints: false,
  asksProviders: false,
  tellsEnd: false,
}

async function pieces(documents: readonly Uint8Array[], settings: Settings): Promise<readonly Uint8Array[]> {
  const chunks: Uint8Array[] = []
  for (const document of documents) {
    // The comma between two documents is a separate chunk.
    if (document.length === 1) chunks.push(document)
    else chunks.push(...(await jsonPieces(fromCoreLater((await openJson(document)) as AnyDocument, settings))))
  }
  return chunks
}
