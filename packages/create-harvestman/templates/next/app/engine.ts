// The engine of the app. Next loads this file again after each change while you develop; the engine stays the same one.
import { createEngine, type Engine } from '@harvestman/core'

const shared = globalThis as typeof globalThis & { harvestman?: Engine }

export const engine = (shared.harvestman ??= createEngine({
  // Private addresses that may be scraped, such as 127.0.0.1/32:8080. Default: none.
  allowPrivate: process.env['ALLOW_PRIVATE']?.split(',') ?? [],
}))
