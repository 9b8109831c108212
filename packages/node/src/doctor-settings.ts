import { checkPeer } from '@harvestman/http'

import { errorMessage } from '@harvestman/toolbox/error-message'
import type { Environment } from './config.ts'
import { environmentNames } from './setting-variables.ts'
import type { Config } from './settings.ts'
import type { Finding } from './finding.ts'

// Variables that the CLI reads, or that it sets for child processes.
const others = ['CONFIG', 'SERVER', 'SERVER_KEY', 'URL', 'NODE', 'PAGES', 'STATUS', 'TEST_INSTALL'].map(
  (name) => `HARVESTMAN_${name}`,
)
const maxDifferences = 3

/**
 * Finds HARVESTMAN_ variables that are not settings: a misspelled setting would silently keep its default. The finding
 * suggests similar names.
 */
export function variables(env: Environment = {}): Finding {
  const name = 'variables'
  const known = new Set([...Object.values(environmentNames).flat(), ...others])
  const unknown = Object.keys(env).filter((each) => each.startsWith('HARVESTMAN_') && !known.has(each))
  if (unknown.length === 0) return { name, state: 'good', message: 'every HARVESTMAN_ variable is a setting' }
  const message = `${unknown.join(', ')}: no such setting`
  const fixes = unknown.map((each) => {
    const near = nearest(each, known)
    return near === undefined ? `Remove ${each}.` : `Rename ${each} to ${near}.`
  })
  return { name, state: 'missing', message, fix: fixes.join(' ') }
}

function nearest(word: string, known: ReadonlySet<string>): string | undefined {
  const [best] = [...known]
    .map((name) => ({ name, differences: distance(word, name) }))
    .toSorted((one, other) => one.differences - other.differences)
  return best && best.differences <= maxDifferences ? best.name : undefined
}

/** Returns the edit distance: the number of characters to insert, delete or replace. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [at, character] of Array.from(one).entries()) {
    const next = [at + 1]
    for (const [index, its] of Array.from(other).entries()) {
      const replaced = (row[index] ?? 0) + (its === character ? 0 : 1)
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** Checks whether peers can authenticate; a server refuses to start otherwise. */
export function peers({ peerUrl, peerSecret }: Pick<Config, 'peerUrl' | 'peerSecret'>): Finding {
  const name = 'peers'
  if (peerUrl === undefined)
    return { name, state: 'good', message: 'none: live browsers are used through this process only' }
  try {
    checkPeer(peerUrl, peerSecret)
    return { name, state: 'good', message: `other processes reach this one at ${new URL(peerUrl).origin}` }
  } catch (error) {
    const message = errorMessage(error)
    return { name, state: 'broken', message, fix: 'Set HARVESTMAN_PEER_SECRET, the same for all processes.' }
  }
}

/** Reports who may use the server. Without API keys the finding is `missing`: only localhost may. */
export function keys({ apiKeys: { length } }: Pick<Config, 'apiKeys'>): Finding {
  if (length > 0) return { name: 'API keys', state: 'good', message: `${length} configured` }
  return {
    name: 'API keys',
    state: 'missing',
    message: 'none; the server accepts only requests from localhost',
    fix: 'Set HARVESTMAN_API_KEY to open it to others.',
  }
}
