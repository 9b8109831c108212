// The datasets feature: rows with a key, a schema and a history, which can be exported and queried.
import { defineFeature, type FeatureCall } from '@harvestman/core/plugin'

import { datasetEndpoints, readingEndpoints, rowEndpoints, writingEndpoints } from './endpoints.ts'
import type { DocumentOfRows } from './from-documents.ts'
import { collectDocuments, openDatasets } from './open.ts'
import type { FromDocument } from './requests.ts'

/** Feature that adds `engine.datasets`. */
export const datasets = defineFeature({
  name: 'datasets',
  summary: 'Stores rows with a key and a history: adds, queries and exports them.',
  examples: [
    'datasets create prices --by url',
    'datasets add prices --job 0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11',
    "datasets query prices 'SELECT url, price FROM rows ORDER BY price LIMIT 10'",
    'datasets export prices -o prices.parquet',
  ],
  activities: { dataset: 'datasets' },
  notFound: 'Dataset not found',
  open: openDatasets,
  more: (all) => ({
    /** Adds rows from documents, such as the pages of a crawl. */
    collectDocuments: (
      name: string,
      documents: Iterable<DocumentOfRows> | AsyncIterable<DocumentOfRows>,
      from: FromDocument,
      call: FeatureCall = {},
    ) => collectDocuments(all, name, documents, from, call),
  }),
  endpoints: (endpoint) => ({
    ...datasetEndpoints(endpoint),
    ...writingEndpoints(endpoint),
    ...rowEndpoints(endpoint),
    ...readingEndpoints(endpoint),
  }),
})

/** The API of `engine.datasets`. */
export type Datasets = NonNullable<(typeof datasets)['api']>
