// The packages as they are published, made by this very tree.
import { execFileSync } from 'node:child_process'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { buildSite } from '../../scripts/docs-site.ts'
import { madeOfTree } from '../made-once.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly publishConfig: { readonly exports: Readonly<Record<string, unknown>> }
}

export const manifests: readonly Manifest[] = globSync('packages/*/package.json', { cwd: root }).map(
  (file) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest,
)

/** All of them, built and packed: the folder, and the names of the tarballs in it. */
export async function packAll(): Promise<{ readonly folder: string; readonly tarballs: readonly string[] }> {
  const site = await madeOfTree('docs-site', buildSite)
  const folder = await madeOfTree('packed', (packed) => packInto(packed, site))
  return { folder, tarballs: readdirSync(folder).filter((name) => name.endsWith('.tgz')) }
}

function packInto(folder: string, site: string): void {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { packageManager: string }
  execFileSync(process.execPath, [join(root, 'scripts/build.ts'), site], { stdio: 'inherit' })
  const options = ['-r', '--filter', './packages/*', 'pack', '--pack-destination', folder]
  execFileSync('npx', ['--yes', packageManager, ...options], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}
