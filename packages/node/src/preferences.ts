import { sitePreferences, uses, type PreferencesFormat, type Use } from '@harvestman/data/manners'
import type { Plugin } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'

import type { Config } from './settings.ts'

/** The use of pages by one team, or by all others. */
interface TeamUse {
  readonly team: string | undefined
  readonly use: Use
}

/**
 * Returns the plugin that reads the preferences of sites, and refuses pages whose site forbids the configured uses. Entries of a
 * team replace the general entries. Throws `invalid_request` for an unknown use.
 */
export function preferencesOf(
  config: Pick<Config, 'uses' | 'licensedHosts' | 'userAgent'>,
): Plugin<readonly [PreferencesFormat]> {
  const entries = config.uses.map(readUse)
  const usesOf = (team: string | undefined): readonly Use[] =>
    entries.filter((one) => one.team === team).map(({ use }) => use)
  const common = usesOf(undefined)
  const teams = new Map(entries.flatMap(({ team }) => (team === undefined ? [] : [[team, usesOf(team)] as const])))
  return sitePreferences({
    uses: teams.size === 0 ? common : (team) => teams.get(team) ?? common,
    licensed: config.licensedHosts,
    userAgent: config.userAgent,
  })
}

function readUse(text: string): TeamUse {
  const at = text.lastIndexOf(':')
  const name = text.slice(at + 1)
  const use = uses.find((known) => known === name)
  if (use !== undefined) return { team: at < 0 ? undefined : text.slice(0, at), use }
  throw new EngineError('invalid_request', `uses: ${JSON.stringify(name)} is not a use. Choose ${uses.join(', ')}.`)
}
