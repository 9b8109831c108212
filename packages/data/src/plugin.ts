import { definePlugin, providePort, screeningPort } from '@harvestman/core/plugin'

import { datasets } from './datasets/datasets.ts'
import { dataset } from './datasets/into-dataset.ts'
import { article, event, job, organization, recipe } from './kinds/kinds.ts'
import { menu } from './kinds/menu.ts'
import { product } from './kinds/product.ts'
import { chunkChanges } from './chunks/changes.ts'
import { chunkFeature } from './chunks/feature.ts'
import { chunks } from './chunks/format.ts'
import { deterministicJson } from './learned/deterministic.ts'
import { extractors } from './learned/extractors.ts'
import { json } from './learned/json.ts'
import { lesson } from './learned/lesson.ts'
import { collect } from './lists/collect.ts'
import { items } from './lists/items.ts'
import { screening } from './screening/screening.ts'

/** Creates the plugin with the data formats, datasets, extractors and the check for prompt injection: `createEngine({ plugins: [data()] })`. */
export function data() {
  return definePlugin({
    name: 'data',
    formats: [
      json,
      deterministicJson,
      lesson,
      items,
      dataset,
      product,
      article,
      recipe,
      job,
      event,
      menu,
      organization,
      chunks,
      chunkChanges,
    ],
    actions: [collect],
    features: [datasets, extractors, chunkFeature],
    gives: { services: [providePort(screeningPort, screening)] },
  })
}

/** Type of the plugin returned by `data`. */
export type DataPlugin = ReturnType<typeof data>
