import { readFileSync } from 'node:fs'

/** Returns the version of this package, which all Harvestman packages share. */
export function ownVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { readonly version: string }).version
}
