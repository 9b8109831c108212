// Format that adds the rows of a page to a dataset in any scrape, crawl, batch or monitor.
import { defineFormat, definePort } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { z } from 'zod'

import { rowsOfDocument } from './from-documents.ts'
import { fromDocumentSchema, newDatasetSchema } from './requests.ts'
import type { PutResult } from './results.ts'
import type { PlainRow } from './rows/check-rows.ts'

/** Adds rows to a dataset of a team. */
export interface RowSink {
  put(team: string, name: string, rows: readonly PlainRow[]): Promise<PutResult>
}

/** Port that provides the datasets of the engine. */
export const datasetsPort = definePort<RowSink>({
  name: 'datasets',
  description: 'datasets',
  remedy: 'Add data() of @harvestman/data to plugins.',
})

const none: PutResult = { added: 0, changed: 0, same: 0 }

/** Adds the rows of another requested format to a dataset. Visiting an unchanged page again changes no row. */
export const dataset = defineFormat({
  type: 'dataset',
  options: z.object({
    name: newDatasetSchema.shape.name.meta({ title: 'Name', description: 'The name of an existing dataset.' }),
    from: fromDocumentSchema.shape.from
      .meta({
        title: 'From',
        description: 'The format of the request that contains the rows, such as `items` or `json`.',
      })
      .default('items'),
    path: fromDocumentSchema.shape.path,
  }),
  value: z.object({
    name: z.string(),
    added: z.int().describe('Number of new rows.'),
    changed: z.int().describe('Number of rows with other values than before.'),
    same: z.int(),
  }),
  needs: {},
  oneOf: ['name'],
  // Belongs to the datasets endpoints, because it writes rows too.
  group: 'datasets',
  requires: { datasets: datasetsPort },
  check: ({ from }) =>
    from === 'dataset' ? 'from names this format itself. Name the one that has the rows.' : undefined,
  derive: async (_, { options: { name, ...from }, request, page, ports: { datasets }, team, formatValue, warn }) => {
    if (request.zeroDataRetention) {
      throw new EngineError('invalid_request', 'A request that keeps nothing adds no rows. Remove zeroDataRetention.')
    }
    if (!request.formats.some(({ type }) => type === from.from)) {
      const message = `from: ${from.from} is not among the formats of the request. Add it, or name the one that has the rows.`
      throw new EngineError('invalid_request', message)
    }
    const value = await formatValue(from.from)
    if (value === undefined) {
      warn(`The dataset "${name}" got no row from this page, because the page has no value for ${from.from}.`)
      return { name, ...none }
    }
    // Error pages add no rows.
    const metadata = { sourceURL: request.url, url: page.url }
    const rows = page.status < 400 ? rowsOfDocument({ metadata, [from.from]: value }, from) : []
    return { name, ...(rows.length > 0 ? await datasets.put(team, name, rows) : none) }
  },
})
