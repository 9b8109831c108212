import { readFileSync } from 'node:fs'

/** Returns the version of this package, which all Harvestman packages share. Throws if its `package.json` cannot be read. */
export function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const isRead = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return isRead && typeof manifest.version === 'string' ? manifest.version : ''
}
