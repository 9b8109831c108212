// Commands that are made of definitions: kinds of jobs, and the features of plugins that the configuration names.
import { answers } from '@harvestman/answers'
import type { Feature, JobPart } from '@harvestman/core/plugin'
import { loadPlugins, ownFeatures, readConfig } from '@harvestman/node/configuration'

import { sources } from './settings.ts'
import type { Shell } from './shell.ts'

export interface KnownKinds {
  readonly kinds: readonly JobPart[]
  readonly features: readonly Feature[]
  /** Why those of plugins are not known. */
  readonly failure?: unknown
}

/** What is loaded for a command line that names none of our own commands, and for one that lists all of them. */
export async function knownKinds(args: readonly string[], shell: Shell): Promise<KnownKinds> {
  try {
    const { config } = readConfig(sources(fileIn(args), {}, shell))
    const plugins = await loadPlugins(config.plugins)
    return {
      kinds: [...answers.jobs, ...plugins.flatMap(({ jobs }) => jobs)],
      features: [...ownFeatures, ...plugins.flatMap(({ features }) => features)],
    }
  } catch (failure) {
    return { kinds: answers.jobs, features: ownFeatures, failure }
  }
}

function fileIn(args: readonly string[]): string | undefined {
  const place = args.findIndex((arg) => /^--config(=|$)/.test(arg))
  const [, value] = args[place]?.split('=', 2) ?? []
  return place === -1 ? undefined : (value ?? args[place + 1])
}
