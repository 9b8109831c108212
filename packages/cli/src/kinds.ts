// Commands that are generated from definitions: job kinds, and features of the configured plugins.
import type { Feature, JobPart, Plugin } from '@harvestman/core/plugin'
import { answers } from '@harvestman/data/answers'
import { loadPlugins, ownFeatureSummaries, readConfig } from '@harvestman/node/configuration'

import type { Command } from './command-line.ts'
import type { Guarded } from './many-pages.ts'
import { kebab } from './schema-flags.ts'
import { sources } from './settings.ts'
import type { Shell } from './shell.ts'

export interface KnownKinds {
  readonly kinds: readonly JobPart[]
  /** The configured plugins. */
  readonly plugins: readonly Plugin[]
  /** Adds the commands of features. */
  addFeatures(program: Command, shell: Shell, guarded: Guarded): void
  /** The error if plugins could not be loaded. */
  readonly failure?: unknown
}

/**
 * Loads the commands of job kinds and features. Needed for a command that is not one of our own, and to list all
 * commands. Never rejects: if the configuration or a plugin cannot be loaded, returns the standard ones and the
 * `failure`.
 */
export async function knownKinds(args: readonly string[], shell: Shell): Promise<KnownKinds> {
  try {
    const plugins = await configuredPlugins(args, shell)
    const features = plugins.flatMap((plugin) => plugin.features)
    return {
      kinds: [...answers.jobs, ...plugins.flatMap(({ jobs }) => jobs)],
      addFeatures: await adderOf(features, args),
      plugins,
    }
  } catch (failure) {
    return { kinds: answers.jobs, addFeatures: await adderOf([], args), plugins: [], failure }
  }
}

/**
 * Loads the plugins of the configuration that a command line uses. Rejects with `invalid_request` if the configuration is invalid
 * or cannot be read, or if a plugin cannot be loaded.
 */
export async function configuredPlugins(args: readonly string[], shell: Shell): Promise<readonly Plugin[]> {
  const { config } = readConfig(sources(fileIn(args), {}, shell))
  return loadPlugins(config.plugins)
}

const helpFlags: ReadonlySet<string> = new Set(['--help', '-h'])

/**
 * Returns the function that adds feature commands. The list of all commands only needs the names of our own features, whose
 * endpoints would load an engine.
 */
async function adderOf(
  features: readonly Feature[],
  [first = '']: readonly string[],
): Promise<KnownKinds['addFeatures']> {
  const callable = features.filter(({ endpoints }) => Object.keys(endpoints).length > 0)
  if (helpFlags.has(first))
    return (program) => {
      for (const [name, summary] of Object.entries(ownFeatureSummaries)) program.command(name).description(summary)
      for (const feature of callable) program.command(kebab(feature.name)).description(descriptionOf(feature))
    }
  const [{ addFeature }, { ownFeatures }] = await Promise.all([
    import('./feature-commands.ts'),
    import('@harvestman/node/own-features'),
  ])
  return (program, shell, guarded) => {
    for (const feature of [...ownFeatures, ...callable])
      addFeature(feature, descriptionOf(feature), { program, shell, guarded })
  }
}

function descriptionOf({ name, summary }: Feature): string {
  return summary ?? `Calls the endpoints of ${name}.`
}

function fileIn(args: readonly string[]): string | undefined {
  const index = args.findIndex((arg) => /^--config(=|$)/.test(arg))
  const [, value] = /=([^]*)$/.exec(args[index] ?? '') ?? []
  return index === -1 ? undefined : (value ?? args[index + 1])
}
