import { definePlugin } from '@harvestman/core/plugin'

import { datasets } from './datasets/datasets.ts'

/** Data out of pages for an engine: `createEngine({ plugins: [data()] })`. */
export function data() {
  return definePlugin({ name: 'data', features: [datasets] })
}

/** What `data` adds to an engine. */
export type DataPlugin = ReturnType<typeof data>
