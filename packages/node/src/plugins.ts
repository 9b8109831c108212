// Loads plugins from the modules that a configuration names.
import { errorCode, errorMessage } from '@harvestman/toolbox/error-message'
import { createRequire } from 'node:module'
import { isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { EngineError } from '@harvestman/ports'
import type { Plugin } from '@harvestman/core/plugin'

/**
 * Resolves relative paths and packages from a folder, so that names mean the same wherever they are loaded. A package that is
 * not found keeps its name.
 */
export function fromFolder(names: readonly string[], folder: string): readonly string[] {
  return names.map((name) => {
    if (name.startsWith('.')) return resolve(folder, name)
    return isAbsolute(name) ? name : (found(name, folder) ?? name)
  })
}

function found(name: string, folder: string): string | undefined {
  try {
    return createRequire(join(resolve(folder), 'harvestman.jsonc')).resolve(name)
  } catch {
    return undefined
  }
}

/**
 * Loads modules by path or package name and returns the plugins that they export, each once. Rejects with `invalid_request` if a
 * module cannot be loaded or exports no plugin.
 */
export async function loadPlugins(names: readonly string[]): Promise<readonly Plugin[]> {
  const loaded = await Promise.all(fromFolder(names, process.cwd()).map(pluginsOf))
  return [...new Set(loaded.flat())]
}

async function pluginsOf(name: string): Promise<readonly Plugin[]> {
  const exported = await load(name)
  const plugins = Object.values(exported).filter(isPlugin)
  if (plugins.length > 0) return plugins
  throw new EngineError(
    'invalid_request',
    `plugins: ${name} exports no plugin. Export the result of definePlugin of @harvestman/core/plugin.`,
  )
}

async function load(name: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(isAbsolute(name) ? pathToFileURL(name).href : name)) as Readonly<Record<string, unknown>>
  } catch (cause) {
    const isMissing = errorCode(cause) === 'ERR_MODULE_NOT_FOUND'
    const why =
      isMissing && errorMessage(cause).includes(name) ? 'does not exist' : `could not be loaded: ${String(cause)}`
    const help = 'Install it beside the config file, or write the path of its file, such as "./plugin.js".'
    throw new EngineError('invalid_request', `plugins: ${name} ${why}. ${help}`, { cause })
  }
}

function isPlugin(value: unknown): value is Plugin {
  if (typeof value !== 'object' || value === null || !('name' in value)) return false
  return ['formats', 'loaders', 'jobs'].every((list) => Array.isArray(Reflect.get(value, list)))
}
