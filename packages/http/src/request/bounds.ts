import type { Bounds } from '@harvestman/toolbox/json-scanner'

/** Limits of the JSON body of a request. */
export const bounds: Bounds = { entries: 30_000, keys: 10_000, depth: 100, text: 1_000_000 }
