import { EngineError } from '@harvestman/ports'
import { errorMessage } from '@harvestman/toolbox/error-message'
import type { Plugin, PluginContext } from './parts.ts'

/** Opens the plugins of an engine before its first operation, and closes them with the engine. */
export interface Lifecycle {
  /** Opens all plugins. Returns `undefined` if there is nothing to await. */
  open(): Promise<void> | undefined
  close(): Promise<void>
}

const closeWithin = 5_000

/**
 * Creates the lifecycle of the plugins of one engine. If a plugin fails to open, `open` rejects and the next call tries again.
 * After `close`, no plugin is opened any more: `open` rejects with `closed` unless all were open. Each plugin has 5 seconds to
 * close; a failure is a warning.
 */
export function makeLifecycle(plugins: readonly Plugin[], contextOf: (plugin: Plugin) => PluginContext): Lifecycle {
  const isOpen = new Set<Plugin>(plugins.filter(({ open }) => open === undefined))
  let opening: Promise<void> | undefined
  let isClosed = false
  const openAll = async (): Promise<void> => {
    for (const plugin of plugins) {
      if (isOpen.has(plugin)) continue
      await openOne(plugin, contextOf(plugin))
      isOpen.add(plugin)
    }
  }
  return {
    open: () => {
      if (isOpen.size === plugins.length) return undefined
      if (isClosed) return Promise.reject(new EngineError('closed', 'The engine was closed.'))
      // After a failure, the next operation tries again.
      opening ??= openAll().finally(() => (opening = undefined))
      return opening
    },
    close: async () => {
      isClosed = true
      await opening?.catch(() => undefined)
      for (const plugin of plugins.toReversed()) if (isOpen.has(plugin)) await closeOne(plugin, contextOf(plugin))
    },
  }
}

async function openOne({ name, open }: Plugin, context: PluginContext): Promise<void> {
  try {
    await open?.(context)
  } catch (error) {
    if (EngineError.is(error)) throw error
    throw new EngineError('internal', `The plugin ${name} could not be opened. See the cause.`, { cause: error })
  }
}

/** Closes a plugin. A failure or a timeout is reported as a warning, so that the other plugins are closed as well. */
async function closeOne({ name, close }: Plugin, { warn }: PluginContext): Promise<void> {
  if (!close) return
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => late.reject(new Error(`it took longer than ${closeWithin} ms`)), closeWithin)
  try {
    await Promise.race([close(), late.promise])
  } catch (error) {
    warn(`The plugin ${name} could not be closed: ${errorMessage(error)}`)
  } finally {
    clearTimeout(timer)
  }
}
