// The engine of the app. In development, Next reloads this file after each change, so the engine is stored globally.
import { createEngine, type Engine } from '@harvestman/core'

const shared = globalThis as typeof globalThis & { harvestman?: Engine }

export const engine = (shared.harvestman ??= createEngine({
  // Private networks that may be scraped, such as 127.0.0.1/32:8080. Default: none.
  allowPrivate: process.env['ALLOW_PRIVATE']?.split(',') ?? [],
}))
