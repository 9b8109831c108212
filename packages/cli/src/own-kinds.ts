// Commands for kinds of jobs of plugins that the configuration names: they are known before the command line is read.
import type { JobPart } from '@harvestman/core/plugin'
import { loadPlugins, readConfig } from '@harvestman/node'

import { sources } from './settings.ts'
import type { Shell } from './shell.ts'

export interface OwnKinds {
  readonly kinds: readonly JobPart[]
  /** Why they are not known. A command that needs no plugin goes on; one that opens an engine says it by itself. */
  readonly failure?: unknown
}

export async function ownKinds(args: readonly string[], shell: Shell): Promise<OwnKinds> {
  try {
    const { config } = readConfig(sources(fileIn(args), {}, shell))
    const plugins = await loadPlugins(config.plugins)
    return { kinds: plugins.flatMap(({ jobs }) => jobs) }
  } catch (failure) {
    return { kinds: [], failure }
  }
}

function fileIn(args: readonly string[]): string | undefined {
  const place = args.findIndex((arg) => /^--config(=|$)/.test(arg))
  const [, value] = args[place]?.split('=', 2) ?? []
  return place === -1 ? undefined : (value ?? args[place + 1])
}
