import { readFileSync } from 'node:fs'

/**
 * Returns the version of the package with this name, whose `package.json` is at a path relative to a module. Returns
 * `undefined` if it is not there, or of another package, because the module is part of the bundle of an application.
 */
export function packageVersion(name: string, path: string, module: string): string | undefined {
  const file = URL.parse(path, module)
  try {
    const manifest: unknown = file && JSON.parse(readFileSync(file, 'utf8'))
    if (typeof manifest !== 'object' || manifest === null) return undefined
    const own: { readonly name?: unknown; readonly version?: unknown } = manifest
    return own.name === name && typeof own.version === 'string' ? own.version : undefined
  } catch {
    return undefined
  }
}
