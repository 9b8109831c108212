import { createEngine } from '@harvestman/core'
import { defineFormat, definePlugin, defineReading } from '@harvestman/core/plugin'
import { z } from 'zod'

import type { Spec } from './spec-table.ts'

const specTable = defineReading<readonly Spec[]>({
  name: 'specs',
  module: new URL('./spec-table.ts', import.meta.url),
  options: ({ formats }) => {
    const { within } = options.parse(formats.find(({ type }) => type === 'specs'))
    return { within }
  },
})

const options = z.object({ within: z.string().min(1).default('table') })

/** The properties in the tables of a page. */
export const specs = defineFormat({
  type: 'specs',
  options,
  value: z.array(z.object({ name: z.string(), value: z.string(), url: z.string().optional() })),
  needs: { specTable },
  derive: ({ specTable }) => specTable,
})

export const specTables = definePlugin({ name: 'spec-tables', formats: [specs] })

export async function specsOf(url: string, allowPrivate: readonly string[] = []): Promise<readonly Spec[]> {
  const engine = createEngine({ allowPrivate, plugins: [specTables] })
  try {
    const document = await engine.scrape({ url, formats: [{ type: 'specs', within: '#specs' }] })
    return document.specs
  } finally {
    await engine.close()
  }
}
