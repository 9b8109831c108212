// Error messages for bugs. They name the plugin, so that nobody searches for its bug in the engine.
import { errorMessage } from '@harvestman/toolbox/error-message'
import type { Registry } from '../plugin/registry.ts'

type Part = Parameters<Registry['ownerOf']>[0]

interface Parts {
  readonly registry: Pick<Registry, 'ownerOf' | 'plugins'>
}

/** Returns a message that names the plugin whose part failed, or Harvestman. The original message is only in the cause. */
export function failedPartMessage(part: Part, { registry }: Parts): string {
  const owner = registry.ownerOf(part)
  const isOfPlugin = registry.plugins.some(({ name }) => name === owner)
  return isOfPlugin ? `The plugin ${owner} has a bug.` : 'Harvestman has a bug. Please report it with the cause.'
}

/**
 * Returns the message of `failedPartMessage` and the original error message, for errors that are not shown to callers over
 * HTTP.
 */
export function failedPartDetails(part: Part, error: unknown, parts: Parts): string {
  return `${failedPartMessage(part, parts)} ${errorMessage(error)}`
}
