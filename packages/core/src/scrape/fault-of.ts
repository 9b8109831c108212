// Faults of plugins: the error names the plugin, so that nobody looks for the fault in the engine.
import { errorMessage } from '@harvestman/ports/adapters'
import type { Registry } from '../plugin/registry.ts'

type Part = Parameters<Registry['ownerOf']>[0]

interface Parts {
  readonly registry: Pick<Registry, 'ownerOf' | 'plugins'>
}

/** Says whose fault a part has. The message of what it threw is for its author, and stays in the cause. */
export function whoseFault(part: Part, { registry }: Parts): string {
  const owner = registry.ownerOf(part)
  const isOfPlugin = registry.plugins.some(({ name }) => name === owner)
  return isOfPlugin ? `The plugin ${owner} has a fault.` : 'Harvestman has a bug. Please report it with the cause.'
}

/** The same with the message, for errors that callers over HTTP do not see. */
export function faultOf(part: Part, error: unknown, parts: Parts): string {
  return `${whoseFault(part, parts)} ${errorMessage(error)}`
}
