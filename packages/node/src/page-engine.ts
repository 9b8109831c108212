import type { Engine } from '@harvestman/core'
import { data } from '@harvestman/data'

import type { Config } from './settings.ts'
import { openWith, type OpenedEngine, type OpenOptions } from './engine-parts.ts'

/**
 * Creates an engine for a command that loads single pages and ends. It has the formats, files and policies of `openEngine`, and
 * none of the features, job kinds and records of a server, which take longer to load than a page. Rejects if a part cannot be
 * opened, after closing the parts that are open.
 */
export async function openPageEngine(config: Config, options: OpenOptions = {}): Promise<OpenedEngine<Engine>> {
  return openWith(config, options, async () => {
    if (!config.siteApis) return [data()] as const
    const { siteApis } = await import('@harvestman/data/site-apis')
    return [data(), siteApis({ enabled: true })] as const
  })
}
